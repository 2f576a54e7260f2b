// pdf.mjs FILE FOLDER: a sheet as pdf.js shows it: its pages as pictures, two pixels a point, and
// their words with the places where they begin, as JSON on standard output.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const tools = createRequire(path.join(process.cwd(), "package.json"));
const { createCanvas, DOMMatrix, ImageData, Path2D } = tools("@napi-rs/canvas");
Object.assign(globalThis, { DOMMatrix, ImageData, Path2D }); // what a browser would have
const root = path.dirname(tools.resolve("pdfjs-dist/package.json"));
const { getDocument } = await import(pathToFileURL(path.join(root, "legacy/build/pdf.mjs")));

const [, , file, folder] = process.argv;
const sheet = await getDocument({
    data: new Uint8Array(readFileSync(file)),
    standardFontDataUrl: path.join(root, "standard_fonts/"),
    stopAtErrors: true,
}).promise;
const pages = [];
for (let i = 1; i <= sheet.numPages; i++) {
    const page = await sheet.getPage(i);
    const viewport = page.getViewport({ scale: 2 });
    const canvas = createCanvas(viewport.width, viewport.height);
    await page.render({ canvasContext: canvas.getContext("2d"), viewport }).promise;
    writeFileSync(path.join(folder, `${i}.png`), canvas.toBuffer("image/png"));
    const { items } = await page.getTextContent();
    const words = items.map(({ str, transform, width }) => [
        str,
        transform[4] + width / 2,
        transform[5],
    ]);
    pages.push({ width: viewport.width / 2, height: viewport.height / 2, words });
}
console.log(JSON.stringify(pages));
