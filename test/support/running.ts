/** What the global setup started, for the global teardown to stop: Jest loads both into one process. */
export const running: { dataDir: string; stop: () => Promise<void> }[] = [];
