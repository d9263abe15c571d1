// Served as `img-comparison-slider.js` beside the scripts.
export * from 'img-comparison-slider';
