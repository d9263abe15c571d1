import { Logger as GraphileLogger } from 'graphile-worker';
import type { Logger } from '../logger.ts';

/**
 * graphile-worker's log lines in ours. It tells of each job that is done: that is `debug` here, as the handlers say
 * what happened. Its meta data holds whole jobs (a mail's text among them) and stays out.
 */
export function queueLogger(log: Logger): GraphileLogger {
  return new GraphileLogger((scope) => (graphileLevel, message) => {
    const level: string = graphileLevel;
    const fields = { queue: scope.label ?? 'core' };
    if (level === 'error') log.error(fields, message);
    else if (level === 'warning') log.warn(fields, message);
    else log.debug(fields, message);
  });
}
