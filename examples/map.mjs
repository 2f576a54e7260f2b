// map.mjs: a map from Mapwright in Node.
//
//   node map.mjs regions width=30 height=12 count=4 seed=hello
//
// MAPWRIGHT says where the service is.
import { getMap } from "./mapwright.mjs";

const [generator, ...pairs] = process.argv.slice(2);
if (!generator) {
    console.error("usage: node map.mjs generator [name=value ...]");
    process.exit(2);
}

// 60 as a number, true as a truth, hello as a word
function value(text) {
    try {
        return JSON.parse(text);
    } catch {
        return text;
    }
}

const parameters = Object.fromEntries(
    pairs.map((pair) => {
        const [name, ...rest] = pair.split("=");
        return [name, value(rest.join("="))];
    }),
);

try {
    const { self, result } = await getMap(generator, parameters, { base: process.env.MAPWRIGHT });
    console.log(self);
    for (const [y, row] of (result.cells ?? []).entries()) {
        const letters = row.map((cell) =>
            cell ? (cell < 0 ? "+" : String.fromCharCode(65 + ((cell - 1) % 26))) : ".",
        );
        console.log((result.grid === "hex" && y % 2 ? " " : "") + letters.join(" "));
    }
} catch (problem) {
    console.error(`map.mjs: ${problem.message}`);
    process.exitCode = 1;
}
