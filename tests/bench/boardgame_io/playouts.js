// Random games of tic-tac-toe in boardgame.io: node playouts.js SECONDS prints games a second.
//
// One client is used for all games and the log is never shown, which is the fastest way that its documentation knows.

const { Client } = require("boardgame.io/client");
const { INVALID_MOVE } = require("boardgame.io/core");

const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

const TicTacToe = {
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    mark: ({ G, playerID }, cell) => {
      if (G.cells[cell] !== null) return INVALID_MOVE;
      G.cells[cell] = playerID;
    },
  },
  endIf: ({ G, ctx }) => {
    if (LINES.some((line) => line.every((k) => G.cells[k] === ctx.currentPlayer))) return { winner: ctx.currentPlayer };
    if (G.cells.every((cell) => cell !== null)) return { draw: true };
  },
};

function play(client) {
  client.reset();
  for (;;) {
    const { G, ctx } = client.getState();
    if (ctx.gameover) return ctx.gameover;
    const free = [];
    G.cells.forEach((cell, k) => { if (cell === null) free.push(k); });
    client.moves.mark(free[Math.floor(Math.random() * free.length)]);
  }
}

const client = Client({ game: TicTacToe, numPlayers: 2, debug: false });
client.start();
for (let k = 0; k < 100; k++) play(client);
const spent = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };
const begun = spent();
let games = 0;
while (spent() - begun < Number(process.argv[2] || "3")) { play(client); games++; }
console.log(games / (spent() - begun));
