/** The greatest screenshot, px. A Chromium texture is no taller; both together bound the memory of a screenshot. */
export const MAX_SCREENSHOT = { width: 4096, height: 16_384 } as const;
