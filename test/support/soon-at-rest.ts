/** For sites of our own that stand still once they have loaded: their captures need not wait as long. */
export const SOON_AT_REST = { settle: { quiet: 100, network: 100, timeout: 5000 } };
