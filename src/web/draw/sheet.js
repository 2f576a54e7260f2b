// sheet.js: a picture made of pixels. It is as large as the screen and dear to lay out, so that there
// is one for all pictures that follow each other.
export class Sheet {
    constructor() {
        this.canvas = document.createElement("canvas");
        this.pen = this.canvas.getContext("2d");
        this.image = null;
    }

    /* Its pixels, as words of a colour each (palette.js): those of the picture before. */
    open(across, down) {
        const { canvas, image } = this;
        if (image?.width !== across || image.height !== down) {
            [canvas.width, canvas.height] = [across, down];
            this.image = this.pen.createImageData(across, down);
        }
        return new Uint32Array(this.image.data.buffer);
    }

    draw(context, width, height) {
        this.pen.putImageData(this.image, 0, 0);
        context.drawImage(this.canvas, 0, 0, width, height);
    }
}
