/* work.js: what is shown of a map that takes long: what it is, how far, for how long, a way out. */
const at = (id) => document.getElementById(id);
const SLOW = 500; /* ms after which it is worth showing */
const TICK = 100;
const LONGEST = 90; /* characters of what is being made */

/* What was asked for, as far as it is not what would be made anyway. */
export function nameOf({ generator, given }) {
    const plain = new Map(generator.fields.map(({ name, first }) => [name, first]));
    const told = given.filter(([name, text]) => text !== plain.get(name));
    const words = [generator.name, ...told.map(([name, text]) => `${name} ${text}`)].join(", ");
    return words.length > LONGEST ? `${words.slice(0, LONGEST)} …` : words;
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
const percent = (progress) => (progress === null ? "" : `${Math.floor(progress * 100)} %, `);

/* { begin(state), tell(progress: 0 to 1), end() }. `cancel` is called when the user asks for it,
   `say` with what those are to hear who do not see it. */
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
