type Options = {
  /** The first message of a client has no type. */
  hasStartup: boolean;
};

/** `bytes`: the whole message. `body`: the same without its type and length. */
type OnMessage = (type: string, body: Buffer, bytes: Buffer) => void;

const LENGTH = 4;

/** Takes the bytes of one direction of a PostgreSQL connection as they come, and calls back with each whole message. */
export function createMessageReader({ hasStartup }: Options, onMessage: OnMessage): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let isFirst = hasStartup;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const typed = isFirst ? 0 : 1;
      if (rest.length < typed + LENGTH) return;
      const size = typed + rest.readInt32BE(typed);
      if (rest.length < size) return;
      const bytes = rest.subarray(0, size);
      rest = rest.subarray(size);
      const type = isFirst ? '' : String.fromCharCode(bytes[0] ?? 0);
      isFirst = false;
      onMessage(type, bytes.subarray(typed + LENGTH), bytes);
    }
  };
}
