import net from 'node:net';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\]|0\.0\.0\.0|::ffff:127(\.\d{1,3}){3})$/;

type ConnectOptions = { host?: string; path?: string };

function targetOf(args: unknown[]): string | null {
  const [first, second] = args;
  const normalized: unknown = Array.isArray(first) ? first[0] : first;
  if (typeof normalized === 'object' && normalized !== null) {
    const { host, path }: ConnectOptions = normalized;
    return path === undefined ? (host ?? 'localhost') : null;
  }
  if (typeof normalized === 'string' && Number.isNaN(Number(normalized))) return null;
  return typeof second === 'string' ? second : 'localhost';
}

const { connect } = net.Socket.prototype;

// No test may depend on, or leak to, anything beyond this machine.
net.Socket.prototype.connect = function refuseBeyondLoopback(this: net.Socket, ...args: unknown[]): net.Socket {
  const host = targetOf(args);
  if (host !== null && !LOOPBACK.test(host)) throw new Error(`The tests may not reach ${host}: loopback only`);
  return Reflect.apply(connect, this, args);
};
