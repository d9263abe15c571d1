import { z } from 'zod';
import { orNull } from '../../errors.ts';
import { setting } from './config-field.ts';
import { lines, structured, term, yesOrNo } from './config-kind.ts';
import { Globs } from './page-rule.ts';
import { COLOR_SCHEME } from './viewport.ts';

const Clock = z.strictObject({
  mode: z.enum(['fixed', 'running']).describe('`fixed`: the date stands still. `running`: time runs from `at`.'),
  at: z.iso.datetime({ offset: true, error: 'must be an ISO 8601 date and time, such as 2026-01-01T12:00:00Z' }),
});

/** No language has a longer code, and a browser refuses one. */
const LONGEST_LANGUAGE = 3;

const isLocale = (value: string) => {
  const locale = orNull(() => new Intl.Locale(value));
  return locale !== null && locale.language.length <= LONGEST_LANGUAGE;
};

/** Node also knows offsets such as `+01:00`, which browsers don't. */
const isOffset = (value: string) => value.startsWith('+') || value.startsWith('-');
const isTimeZone = (value: string) =>
  value !== '' && !isOffset(value) && orNull(() => new Intl.DateTimeFormat('en', { timeZone: value })) !== null;

/** Locale, time zone, clock and device settings that pages see. */
export const EMULATION = {
  clock: setting(
    structured(Clock.nullable(), {
      editor: 'clock',
      bounds: '',
      show: (value) => (value === null ? 'the real time' : `${value.mode}, ${value.at}`),
    }),
    {
      section: 'emulation',
      label: 'Clock',
      help: 'The date and time that pages see. Use it for pages that show the current date or time.',
      default: null,
    },
  ),
  seedRandom: setting(yesOrNo(), {
    section: 'emulation',
    label: 'Seed random numbers',
    help: 'Math.random() and crypto return the same numbers in each capture.',
    default: true,
  }),
  colorScheme: setting(COLOR_SCHEME, {
    section: 'emulation',
    label: 'Color scheme',
    help: 'The color scheme that pages are rendered in. A viewport can override it.',
    default: 'light',
  }),
  locale: setting(term(isLocale, { maxLength: 35, rule: 'a language tag', example: 'de-DE' }), {
    section: 'emulation',
    label: 'Locale',
    help: 'The language, and the formats of numbers and dates.',
    default: 'en-US',
  }),
  timezone: setting(term(isTimeZone, { maxLength: 64, rule: 'an IANA time zone', example: 'Europe/Berlin' }), {
    section: 'emulation',
    label: 'Time zone',
    help: 'The time zone that pages see.',
    default: 'UTC',
  }),
  reducedMotion: setting(yesOrNo(), {
    section: 'emulation',
    label: 'Reduced motion',
    help: 'Ask pages for less motion, like the system setting does.',
    default: true,
  }),
  blockHosts: setting(lines(Globs, { most: 200, noun: 'glob', placeholder: '*.ads.example.com' }), {
    section: 'emulation',
    label: 'Blocked hosts',
    help: 'Requests to these hosts are blocked, for example ads and chat. One glob per line.',
    default: [],
  }),
};
