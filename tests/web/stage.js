// stage.js: show(answer, options) of view.js on a bare page. stage.address(url) fetches the answer
// first, as the page does, in CBOR, and keeps its JSON for the test.
import { decode } from "./web/ask/cbor.js";
import { digest } from "./web/ask/digest.js";
import { show } from "./web/show/view.js";

const host = document.querySelector("#host");
const dark = matchMedia("(prefers-color-scheme: dark)").matches;

globalThis.stage = {
    played: [],
    show(answer, options) {
        this.answer = answer;
        return this.draw(answer, options);
    },
    draw(answer, options) {
        this.view = show(host, digest(answer), {
            dark,
            hooks: { onPlayed: (done) => this.played.push(done) },
            ...options,
        });
        return this.view.describe();
    },
    async address(url, options) {
        const json = await fetch(url);
        this.answer = await json.json();
        const reply = await fetch(url, { headers: { Accept: "application/cbor" } });
        return this.draw(decode(new Uint8Array(await reply.arrayBuffer())), options);
    },
};
