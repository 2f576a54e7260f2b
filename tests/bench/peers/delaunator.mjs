// delaunator.mjs: seconds that Delaunator takes for the stars of a file, the median.
//
// node delaunator.mjs MODULES FILE MODULES holds delaunator, FILE a line "x y" for each star
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const [modules, file] = process.argv.slice(2);
const require = createRequire(resolve(modules, "x.js"));
const { default: Delaunator } = await import(pathToFileURL(require.resolve("delaunator")));

const points = Float64Array.from(readFileSync(file, "utf8").trim().split(/\s+/), Number);
const once = () => {
    const start = process.cpuUsage();
    new Delaunator(points);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1e6;
};
for (let i = 0; i < 5; i++) once(); // lets the compiler see it
const times = Array.from({ length: 25 }, once).sort((a, b) => a - b);
console.log(times[12].toFixed(6));
