/** What the global setup started and the global teardown stops. Jest loads both into one process. */
export const running: { dataDir: string; stop: () => Promise<void> }[] = [];
