/* work.js: shows the progress of a slow map: its name, a bar, the time, a button that cancels it.
 */
const at = (id) => document.getElementById(id);
const SLOW = 500; /* ms after which it is worth showing */
const TICK = 100;
const LONGEST = 90; /* characters of the name */

/* The generator and the parameters that differ from the defaults. */
export function nameOf({ generator, given }) {
    const plain = new Map(generator.fields.map(({ name, first }) => [name, first]));
    const told = given.filter(([name, text]) => text !== plain.get(name));
    const words = [generator.name, ...told.map(([name, text]) => `${name} ${text}`)].join(", ");
    return words.length > LONGEST ? `${words.slice(0, LONGEST)} …` : words;
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
const percent = (progress) => (progress === null ? "" : `${Math.floor(progress * 100)} %, `);

/* Returns { begin(state), tell(progress: 0 to 1), end() }. `cancel` is called when the user
   cancels, `say` with texts for screen readers. */
export function makeWork({ cancel, say }) {
    let timer,
        began,
        progress = null;

    function write() {
        at("work-time").textContent = percent(progress) + seconds(performance.now() - began);
        if (progress === null) at("work-bar").removeAttribute("value");
        else at("work-bar").value = progress;
    }
    function appear(state) {
        const name = nameOf(state);
        at("work-name").textContent = name;
        say(`Making ${name}`);
        write();
        at("work").hidden = false;
        timer = setInterval(write, TICK);
    }
    function end() {
        clearInterval(timer);
        const focused = at("work").contains(document.activeElement);
        at("work").hidden = true;
        if (focused) at("panel").focus({ preventScroll: true });
    }
    at("work-end").addEventListener("click", cancel);
    return {
        begin(state) {
            clearInterval(timer);
            began = performance.now();
            progress = null;
            if (at("work").hidden) timer = setTimeout(() => appear(state), SLOW);
            else appear(state);
        },
        tell(part) {
            progress = part;
        },
        end,
    };
}
