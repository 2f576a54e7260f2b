// node.mjs: countries in the terminal.
//
//   npm install mapwright && node node_modules/mapwright/examples/node.mjs 7
import { make } from "mapwright";

const { self, result } = await make("regions", {
    width: 36,
    height: 16,
    count: 8,
    seed: process.argv[2] ?? 7,
});
console.log(self);
for (let y = 0; y < result.height; y++) {
    const row = result.cells.subarray(y * result.width, (y + 1) * result.width);
    const letters = Array.from(row, (id) => String.fromCharCode(64 + id));
    console.log((result.grid === "hex" && y % 2 ? " " : "") + letters.join(" "));
}
for (const { id, size, capital } of result.regions)
    console.log(`${String.fromCharCode(64 + id)}: ${size} cells, capital at ${capital}`);
