// By orval. It reads all answers as JSON: a picture is asked for by its address.
import * as api from "./made/orval.ts";

const regions = await api.postRegions({ count: 8, seed: 7, mask: null });
if (regions.status === 202) throw new Error("202 without Prefer");
if (regions.status !== 200)
    throw new Error(`${regions.data.title}: ${regions.data.errors?.map((e) => e.pointer).join()}`);
const { result, parameters } = regions.data;
function describe({ id, size, capital }: api.Region): string {
    const [x, y] = capital;
    if (result.cells[y][x] !== id || y >= parameters.height) throw new Error("astray");
    return `${id}: ${size} cells around ${x.toFixed()},${y.toFixed()}`;
}
for (const region of result.regions) console.log(describe(region));

const sky = await api.getStarlanes({ stars: 200, seed: "hello" });
if (sky.status !== 200) throw new Error(sky.status === 202 ? sky.data.state : sky.data.detail);
const { stars, lanes } = sky.data.result;
const isFar = (star: api.Star): boolean => star.x + star.y > 1500 && !star.homeworld;
console.log(lanes.filter(([a, b]) => isFar(stars[a]) || isFar(stars[b])).length, sky.data.seed);

const png = await fetch(api.getGetIslandsAsUrl("png", { seed: 7, scale: 4, theme: "dark" }));
const picture = await png.blob();

const puzzle = await api.getPuzzleGenerate({ width: 5, seed: 7 });
const grid = puzzle.status === 200 ? puzzle.data.result.grid : [];
const solved = await api.postPuzzleSolve({ grid });
if (solved.status !== 200) throw new Error(solved.status === 202 ? solved.data.state : solved.data.detail);
const labels: string[] = solved.data.result.paths.map((path) => path.label);
console.log(labels.join(), solved.data.result.unique, picture.size);

const wrong = await api.postAreas({ width: 0 });
if (wrong.status !== 200 && wrong.status !== 202) console.log(wrong.data.type, wrong.data.errors?.[0].pointer);

// With Prefer, a slow map is asked for again later.
const slow = { width: 1500, height: 1500, seed: 8 };
const first = await api.getIslands(slow, { headers: { Prefer: "respond-async" } });
const id = first.status === 202 ? first.data.id : "";
let again = await api.getMap(id);
while (again.status === 202) again = await api.getMap(id);
console.log(first.status, again.status === 200 && again.data.id === id);
