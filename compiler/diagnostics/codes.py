"""Every diagnostic code, once: slug, severity, one line. A code is never used again for something else.

The page that explains a code is `explain/<code>.md` beside this file; a test sees to it that each code has one and that
its examples raise it and do not raise it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Code:
    slug: str
    severity: str  # error, warning or note
    title: str


_ROWS: Final[tuple[Code, ...]] = (
    # --- the file itself
    Code("anchor", "error", "an anchor or alias (`&name`, `*name`), which packs do not use"),
    Code("bad-escape", "error", "a backslash in double quotes that means nothing"),
    Code("control-character", "error", "a character that nobody can see"),
    Code("decimal-number", "error", "a number with a fraction"),
    Code("directive", "error", "a `%` directive before the document"),
    Code("duplicate-key", "error", "the same key twice in one mapping"),
    Code("empty-file", "error", "a file without content"),
    Code("empty-value", "error", "a key or an entry without a value"),
    Code("file-too-large", "error", "a file of more than 8 MB"),
    Code("flow-syntax", "error", "a comma that is missing or too many inside brackets"),
    Code("indentation", "error", "a line that begins in a column where nothing can stand"),
    Code("key-not-a-word", "error", "a list, a mapping or nothing in the place of a key"),
    Code("merge-conflict", "error", "marks of an unfinished merge"),
    Code("merge-key", "error", "the merge key `<<`, which packs do not use"),
    Code("missing-colon", "error", "a line among keys that has no colon"),
    Code("missing-space", "error", "a colon without a space behind it"),
    Code("nested-too-deep", "error", "too many mappings and lists inside each other"),
    Code("not-a-mapping", "error", "a file that is no mapping of sections"),
    Code("null-value", "error", "YAML's sign for nothing, `~` or `null`"),
    Code("number-too-large", "error", "a number beyond 32 bits"),
    Code("several-documents", "error", "more than one YAML document in a file"),
    Code("syntax", "error", "something that is not YAML"),
    Code("tab-indentation", "error", "a tab where only spaces may stand"),
    Code("tag", "error", "a tag (`!name`), which packs do not use"),
    Code("unclosed-bracket", "error", "a bracket that is not closed, or closes nothing"),
    Code("unclosed-quote", "error", "a quote that is never closed"),
    Code("unquoted-comma", "error", "a comma that cuts a text inside brackets in two"),
    Code("unquoted-text", "error", "text that YAML does not take without quotes"),
    Code("unreadable", "error", "a file that is missing or cannot be read"),
    Code("wrong-encoding", "error", "a file that is not UTF-8"),
    Code("yaml-reads-differently", "error", "an unquoted word that YAML readers take for something else"),
    # --- the check itself
    Code("nothing-checked", "error", "no file was found to check"),
    Code("allow-of-error", "warning", "a comment that tries to silence an error"),
    Code("bad-allow", "warning", "a `# ludoloom:` comment that is not `allow CODE reason`"),
    Code("unused-allow", "warning", "a comment that silences nothing"),
    # --- keys and shapes
    Code("bad-id", "error", "a name that is no id in snake_case"),
    Code("key-order", "warning", "sections of an act in another order than they are read"),
    Code("unknown-key", "error", "a key that nothing reads"),
    Code("unknown-section", "error", "a section that packs do not have"),
    Code("wrong-clause", "error", "a section of an act where it has no meaning"),
    # --- words and types
    Code("ambiguous-word", "error", "a word that could mean two columns"),
    Code("formula-cycle", "error", "a formula that is worked out from itself"),
    Code("maybe-none", "error", "something that may be none is used as if it were there"),
    Code("missing-key", "error", "a key that must be there is not"),
    Code("name-taken", "error", "a name that means something else already"),
    Code("not-in-language", "error", "a part of Python that formulas do not have"),
    Code("number-unbounded", "error", "a choice among numbers without end"),
    Code("one-argument-only", "error", "a formula or a call with more than one argument"),
    Code("reserved-word", "error", "a name that is a word of the language"),
    Code("rows-without-else", "error", "rows of conditions without a last `else`"),
    Code("table-gap", "error", "rows that leave out a value"),
    Code("table-overlap", "error", "rows that give a value twice"),
    Code("top-of-unordered", "error", "the top of a zone that has no order"),
    Code("unknown-word", "error", "a word that names nothing"),
    Code("wrong-type", "error", "a value of another type than must stand here"),
    # --- declarations
    Code("column-twice", "error", "two columns, zones or faces of one name in a kind"),
    Code("count-complete", "warning", "a count that is complete but still listed as incomplete"),
    Code("count-differs", "error", "another number of components than the box holds"),
    Code("count-incomplete", "note", "components that are still to be written"),
    Code("duplicate-id", "error", "the same id twice"),
    Code("faces-differ", "error", "faces of a die with different columns"),
    Code("holds-other-kind", "error", "a thing that starts in a place that does not hold its kind"),
    Code("inheritance-cycle", "error", "kinds that are built on each other in a circle"),
    Code("link-leaves-pack", "error", "a link to a file outside of the pack"),
    Code("map-too-small", "error", "a growing map without room for its tiles"),
    Code("mark-outside", "error", "a mark beyond the end of its track"),
    Code("mode-cycle", "error", "modes that depend on each other in a circle"),
    Code("modes-collide", "error", "modes that cannot be on together"),
    Code("needs-patch", "error", "something new under an id that is there already"),
    Code("nesting-cycle", "error", "a map that lies within itself"),
    Code("no-start", "error", "a column without a value to start with"),
    Code("not-read", "warning", "a file that looks like content but is not read"),
    Code("one-sided-link", "error", "a space that links to another which does not link back"),
    Code("origin-missing", "error", "an item that does not say whether the rulebook prints it"),
    Code("other-game", "error", "an expansion used with a game that it does not extend"),
    Code("pack-cycle", "error", "packs that extend each other in a circle"),
    Code("pack-missing", "error", "files that no section `pack` makes a pack"),
    Code("pack-not-found", "error", "an expansion whose game cannot be found"),
    Code("patch-of-nothing", "error", "a change of something that is not there"),
    Code("printed-fact-changed", "error", "a value that differs from what the rulebook prints"),
    Code("removed-but-used", "error", "something that was removed but is still used"),
    Code("rows-differ", "error", "rows of a drawn map that are not equally long"),
    Code("self-link", "error", "a space that is linked to itself"),
    Code("stand-in-unknown", "error", "a stand-in for something that is not there"),
    Code("step-without-place", "error", "a new step that does not say where it stands"),
    Code("too-few-seats", "error", "fewer seats than players"),
    Code("too-large", "error", "a number that is too large to be meant"),
    Code("too-many-modes", "error", "too many combinations of modes"),
    Code("too-many-seat-kinds", "error", "two kinds of seats"),
    Code("two-locations", "error", "a map that can be entered from two cells"),
    Code("two-packs-same-place", "error", "two expansions that change one place differently"),
    Code("unknown-letter", "error", "a letter of a drawing that the legend does not know"),
    Code("unreachable", "warning", "spaces that no way leads to"),
    Code("version-not-met", "error", "a pack in another version than is asked for"),
    Code("wrong-section", "error", "an item in the section of another family"),
    Code("zone-too-small", "error", "a zone without room for what starts there"),
    # --- acts
    Code("cancel-outside", "error", "`cancel` or `proceed` where nothing is interrupted"),
    Code("deep-nesting", "warning", "blocks inside blocks inside blocks inside blocks"),
    Code("gives-missing", "error", "an act that does not give what it promises"),
    Code("implied-missing", "error", "an implied parameter that the caller has no word for"),
    Code("missing-parameter", "error", "a call without a parameter that is needed"),
    Code("never-called", "warning", "something that nothing runs, opens or calls"),
    Code("never-offered", "warning", "an act that no window offers"),
    Code("nobody-can-act", "error", "a window in which nobody could do anything"),
    Code("offer-not-an-act", "error", "a window that offers something that is no act"),
    Code("optional-in-head", "error", "an optional choice in the head of an act"),
    Code("outcome-forgotten", "error", "an outcome that no section answers"),
    Code("stop-outside", "error", "a `stop` of something that does not run"),
    Code("unbounded-repeat", "error", "a repetition that nothing ends"),
    Code("unknown-cost", "error", "a cost that is no column or word that can be paid"),
    Code("unknown-outcome", "error", "an outcome that a roll or act does not have"),
    Code("unknown-parameter", "error", "a parameter that an act does not have"),
    Code("who-decides", "error", "a choice that does not say who makes it"),
    # --- triggers, modifiers, ends, texts
    Code("number-nobody-reads", "warning", "a modifier of a number that nothing reads"),
    Code("unknown-icon", "error", "an icon that the pack does not declare"),
    Code("unknown-need", "error", "a modifier of a need that an act does not have"),
    # --- scenarios and the ledger
    Code("decision-not-offered", "error", "a decision of a scenario that is not offered"),
    Code("scenario-failed", "error", "a scenario whose `then` does not come true"),
    Code("unknown-rule", "error", "a rule that the ledger does not know"),
)

CODES: Final[dict[str, Code]] = {row.slug: row for row in _ROWS}
