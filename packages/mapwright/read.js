// read.js: the bytes of a file, by its address. `reader` is what node.js changes.

async function fetchBytes(place) {
    const answer = await fetch(place);
    if (!answer.ok) throw new Error(`${place}: ${answer.status} ${answer.statusText}`);
    return answer.arrayBuffer();
}

export const reader = { read: fetchBytes };
