"""What runs a compiled game. It imports neither the compiler nor the schemas, Pydantic or YAML. Start reading at
`game.py`.
"""
