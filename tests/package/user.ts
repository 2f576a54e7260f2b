// user.ts: a program as a user writes it, for `tsc --strict`. What must not compile says so.
import { encode, make, MapProblem, remote, type Grid, type RegionsResult } from "mapwright";
import { remote as alone } from "mapwright/remote";

const map = await make("regions", { width: 60, seed: 7, sizes: null, capitals: [[1, 2]] });
const cells: Grid = map.result.cells;
const result: RegionsResult = map.result;
const shown: number = map.parameters.width + cells.length + result.regions[0]!.capital[0];
const grid: "hex" | "square" = map.parameters.grid;

const lanes = await make("/starlanes?seed=7");
const pair: [number, number] | undefined = lanes.result.lanes[0];
const generator: "starlanes" = lanes.generator;

const picture: Uint8Array = await encode("/islands.svg?seed=7", null, { timeout: 100 });
const solved = await make("puzzle/solve", { grid: ["A.A"] });
const paths = solved.result;

const service = remote("http://localhost:8080", { tries: 2, headers: { Authorization: "Bearer x" } });
const far = await service.make("areas", { area: 30 }, { signal: AbortSignal.timeout(100) });
const area: number = far.parameters.area ?? 0;
await alone(new URL("http://localhost")).encode("regions.png", { scale: 4 });

try {
    // @ts-expect-error there is no such parameter
    await make("regions", { wdth: 60 });
    // @ts-expect-error a number is wanted
    await make("regions", { width: "60" });
    // @ts-expect-error there is no such shape
    await make("starlanes", { shape: "cube" });
    // @ts-expect-error the board is missing
    await make("puzzle/solve", {});
    // @ts-expect-error regions have no islands
    map.result.islands;
} catch (problem) {
    if (problem instanceof MapProblem) console.log(problem.errors[0]?.pointer);
}
export { area, generator, grid, pair, paths, picture, shown };
