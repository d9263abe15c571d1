/** Everyone who waits continues at the same time. */
export function createSignal() {
  let waiting: (() => void)[] = [];
  return {
    wait: async () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve);
      }),
    give() {
      for (const resume of waiting) resume();
      waiting = [];
    },
  };
}
