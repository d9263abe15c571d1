/** Who may have one of a number of connections, the oldest first. */
export type ConnectionTurns = {
  /**
   * Resolves when it is the caller's turn, which lasts until `end`.
   * @param order when the work began: the smallest comes first
   * @throws Error when no turn came in time.
   */
  wait(order: number): Promise<void>;
  end(): void;
};

type Waiting = { order: number; begin: () => void };

/** @param patienceMs how long each waits at most */
export function createConnectionTurns(count: number, patienceMs: number): ConnectionTurns {
  let free = count;
  /** The oldest last. */
  const waiting: Waiting[] = [];
  const insert = (one: Waiting) => {
    const at = waiting.findIndex(({ order }) => order <= one.order);
    waiting.splice(at === -1 ? waiting.length : at, 0, one);
  };
  return {
    async wait(order) {
      if (free > 0) {
        free -= 1;
        return;
      }
      await new Promise<void>((resolve, reject) => {
        const giveUp = () => {
          waiting.splice(waiting.indexOf(one), 1);
          reject(new Error('Unable to acquire a connection: all of them are in use'));
        };
        const timer = setTimeout(giveUp, patienceMs);
        const begin = () => {
          clearTimeout(timer);
          resolve();
        };
        const one = { order, begin };
        insert(one);
      });
    },
    end() {
      const next = waiting.pop();
      if (next === undefined) free += 1;
      else next.begin();
    },
  };
}
