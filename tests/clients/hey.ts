// By hey-api.
import { client } from "./made/hey/client.gen.ts";
import * as api from "./made/hey/index.ts";
import { base } from "./made/base.ts";

client.setConfig({ baseUrl: base });

const { data, error } = await api.postRegions({ body: { count: 8, seed: 7, mask: null } });
if (!data) throw new Error(`${error.title}: ${error.errors?.map((e) => e.pointer).join()}`);
function describe({ id, size, capital }: api.Region): string {
    const [x, y] = capital;
    if (data?.result.cells[y][x] !== id || y >= data.parameters.height) throw new Error("astray");
    return `${id}: ${size} cells around ${x.toFixed()},${y.toFixed()}`;
}
for (const region of data.result.regions) console.log(describe(region));

const sky = await api.getStarlanes({ query: { stars: 200, seed: "hello" } });
if (!sky.data) throw new Error(sky.error.detail);
const { stars, lanes } = sky.data.result;
const isFar = (star: api.Star): boolean => star.x + star.y > 1500 && !star.homeworld;
console.log(lanes.filter(([a, b]) => isFar(stars[a]) || isFar(stars[b])).length, sky.data.seed);

const path = { suffix: "png" as const };
const png = await api.getIslandsAs({ path, query: { seed: 7, scale: 4, theme: "dark" } });
const picture: Blob | undefined = png.data;

const puzzle = await api.getPuzzleGenerate({ query: { width: 5, seed: 7 } });
const grid = puzzle.data?.result.grid ?? [];
const solved = await api.postPuzzleSolve({ body: { grid } });
const labels: string[] | undefined = solved.data?.result.paths.map((path) => path.label);
console.log(labels?.join(), solved.data?.result.unique, picture?.size);

const wrong = await api.postAreas({ body: { width: 0 } });
console.log(wrong.error?.type, wrong.error?.errors?.[0].pointer);
