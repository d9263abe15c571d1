import { z } from 'zod';
import { Config } from '../config.ts';

/* What the first process and its web processes tell each other. */

/** To a web process. */
export const ToWeb = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start'), config: Config, databaseUrl: z.string() }),
  /** It shall tell what it has counted. */
  z.object({ type: z.literal('collect'), id: z.number() }),
  /** What all processes have counted, for the scrape with this number. */
  z.object({ type: z.literal('metrics'), id: z.number(), text: z.string() }),
  z.object({ type: z.literal('stop') }),
]);
export type ToWeb = z.output<typeof ToWeb>;

/** From a web process. */
export const FromWeb = z.discriminatedUnion('type', [
  /** It reads messages now: what was sent before is lost. */
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('listening'), url: z.string() }),
  z.object({
    type: z.literal('failed'),
    message: z.string(),
    /** Of a system error. */
    code: z.string().nullable(),
    syscall: z.string().nullable(),
  }),
  z.object({ type: z.literal('collected'), id: z.number(), metrics: z.array(z.custom<object>()) }),
  z.object({ type: z.literal('scrape'), id: z.number() }),
]);
export type FromWeb = z.output<typeof FromWeb>;
