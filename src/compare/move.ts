/** Content that is in both images and only moved. `y` and `x` are its place on the canvas, all in px. */
export type Move = { x: number; y: number; width: number; height: number; baselineY: number; currentY: number };
