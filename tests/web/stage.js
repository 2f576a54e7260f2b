// stage.js: show(answer, options) of view.js on a bare page; stage.address(url) fetches the answer
// first.
import { digest } from "./ask/digest.js";
import { show } from "./show/view.js";

const host = document.querySelector("#host");
const dark = matchMedia("(prefers-color-scheme: dark)").matches;

globalThis.stage = {
    played: [],
    show(answer, options) {
        this.answer = answer;
        this.view = show(host, digest(answer), {
            dark,
            hooks: { onPlayed: (done) => this.played.push(done) },
            ...options,
        });
        return this.view.describe();
    },
    async address(url, options) {
        const reply = await fetch(url);
        return this.show(await reply.json(), options);
    },
};
