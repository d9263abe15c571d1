import { Logger as GraphileLogger } from 'graphile-worker';
import type { Logger } from '../logger.ts';

/**
 * Writes graphile-worker's log lines to our log. Its line for each finished job becomes `debug`, because the handlers
 * already log what happened. So does its warning of few connections, which the pool has on purpose. Its metadata is
 * dropped: it contains whole jobs, such as the text of a mail.
 */
export function queueLogger(log: Logger): GraphileLogger {
  return new GraphileLogger((scope) => (graphileLevel, message) => {
    const level: string = graphileLevel;
    const fields = { queue: scope.label ?? 'core' };
    if (level === 'error') log.error(fields, message);
    else if (level === 'warning' && !message.includes('maxPoolSize')) log.warn(fields, message);
    else log.debug(fields, message);
  });
}
