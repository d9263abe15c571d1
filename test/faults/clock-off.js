/* Loaded before a program (`--import`), this moves its clock by CLOCK_OFF_MS. Only the time of day: timers go on as they do. */

const offMs = Number(process.env.CLOCK_OFF_MS);
const SystemDate = Date;

globalThis.Date = class Date extends SystemDate {
  constructor(...given) {
    if (given.length === 0) super(SystemDate.now() + offMs);
    else super(...given);
  }

  static now() {
    return SystemDate.now() + offMs;
  }

  /** What Node makes by itself is a date as well. */
  static [Symbol.hasInstance](value) {
    return value instanceof SystemDate;
  }
};
