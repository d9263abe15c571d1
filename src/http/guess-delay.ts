const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** How many wrong passwords cause no delay, from one address (or known browser) for one account. */
const FREE_AT_ONE_PLACE = 10;
const FIRST_DELAY_MS = 10 * SECOND_MS;
const LONGEST_DELAY_MS = 15 * MINUTE_MS;

/** How many wrong passwords for one account, from all unknown browsers, before each new address has to wait. */
const FREE_AT_ACCOUNT = 30;
const FIRST_WAIT_MS = 5 * SECOND_MS;
/** The longest wait of the owner at a new address while others guess. */
const LONGEST_WAIT_MS = MINUTE_MS;

const doubled = (first: number, times: number, longest: number) => Math.min(longest, first * 2 ** times);

/** Milliseconds before the next guess at one place, after this many wrong ones there. */
export function delayAtPlace(wrong: number): number {
  return wrong < FREE_AT_ONE_PLACE ? 0 : doubled(FIRST_DELAY_MS, wrong - FREE_AT_ONE_PLACE, LONGEST_DELAY_MS);
}

/**
 * Milliseconds that a new address waits before its first guess, after this many wrong ones for the account elsewhere.
 * 0: it need not wait.
 */
export function waitForAccount(wrong: number): number {
  return wrong < FREE_AT_ACCOUNT
    ? 0
    : doubled(FIRST_WAIT_MS, Math.floor((wrong - FREE_AT_ACCOUNT) / 10), LONGEST_WAIT_MS);
}

/** The same as `delayAtPlace`, while there are guesses at the account from many addresses. */
export function delayUnderAttack(wrongAtPlace: number, wrongAtAccount: number): number {
  const wait = waitForAccount(wrongAtAccount);
  const slowed = wait === 0 ? 0 : doubled(wait, wrongAtPlace, LONGEST_DELAY_MS);
  return Math.max(delayAtPlace(wrongAtPlace), slowed);
}
