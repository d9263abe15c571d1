/**
 * The maximum size of a screenshot, px. A Chromium texture can't be taller. Together, both limits bound the memory of a
 * screenshot.
 */
export const MAX_SCREENSHOT = { width: 4096, height: 16_384 } as const;
