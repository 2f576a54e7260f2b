// By hey-api.
import { client } from "./made/hey/client.gen.ts";
import * as api from "./made/hey/index.ts";
import { base } from "./made/base.ts";

// A request without Prefer is never answered by 202.
function made<Map extends object>(answer: Map | api.Later | undefined): Map {
    if (!answer || "state" in answer) throw new Error("no map");
    return answer as Map;
}

client.setConfig({ baseUrl: base });

const { data, error } = await api.postRegions({ body: { count: 8, seed: 7, mask: null } });
if (!data) throw new Error(`${error.title}: ${error.errors?.map((e) => e.pointer).join()}`);
const { result, parameters } = made(data);
function describe({ id, size, capital }: api.Region): string {
    const [x, y] = capital;
    if (result.cells[y][x] !== id || y >= parameters.height) throw new Error("astray");
    return `${id}: ${size} cells around ${x.toFixed()},${y.toFixed()}`;
}
for (const region of result.regions) console.log(describe(region));

const sky = await api.getStarlanes({ query: { stars: 200, seed: "hello" } });
if (!sky.data) throw new Error(sky.error.detail);
const { seed, result: galaxy } = made(sky.data);
const { stars, lanes } = galaxy;
const isFar = (star: api.Star): boolean => star.x + star.y > 1500 && !star.homeworld;
console.log(lanes.filter(([a, b]) => isFar(stars[a]) || isFar(stars[b])).length, seed);

const path = { suffix: "png" as const };
const png = await api.getIslandsAs({ path, query: { seed: 7, scale: 4, theme: "dark" } });
const picture: Blob = made(png.data);

const puzzle = await api.getPuzzleGenerate({ query: { width: 5, seed: 7 } });
const grid = made(puzzle.data).result.grid;
const solved = await api.postPuzzleSolve({ body: { grid } });
const { paths: lines, unique } = made(solved.data).result;
const labels: string[] = lines.map((path) => path.label);
console.log(labels.join(), unique, picture.size);

const wrong = await api.postAreas({ body: { width: 0 } });
console.log(wrong.error?.type, wrong.error?.errors?.[0].pointer);

// With Prefer, a slow map is asked for again later.
const headers = { Prefer: "respond-async" };
const slow = { query: { width: 1500, height: 1500, seed: 9 }, headers };
const first = await api.getIslands(slow);
const later: api.Later | undefined = first.data && "state" in first.data ? first.data : undefined;
const id = later?.id ?? "";
let state: string | undefined = later?.state;
while (state === "waiting" || state === "running") {
    const again = await api.getMap({ path: { id } });
    state = again.data && "state" in again.data ? again.data.state : again.data?.id;
}
console.log(first.response?.status, state === id);
