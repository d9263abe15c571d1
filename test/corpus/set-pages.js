import { lateBody, parameter } from './corpus-page.js';

const SEEDED = { seedRandom: true };
const FIXED = { clock: { mode: 'fixed', at: '2026-01-02T03:04:05Z' } };
const RUNNING = { clock: { mode: 'running', at: '2026-01-02T03:04:05Z' } };
const HIDDEN = { customCss: '#hidden { visibility: hidden }' };

const chance = (name, script, needs = SEEDED) => ({
  name: `left to chance: ${name}`,
  body: (variant) => lateBody(script(variant)),
  needs,
});

const dated = (name, text, needs = FIXED) => ({
  name: `dated: ${name}`,
  body: ({ word }) => lateBody(`late.textContent = '${word} ' + ${text}`),
  needs,
});

/** Pages that need a setting, and which. */
export const SET_PAGES = [
  chance('a number', ({ word }) => `late.textContent = '${word} ' + Math.random()`),
  chance('an order', ({ word }) => {
    return `late.textContent = ['a', 'b', 'c', 'd', 'e', '${word}'].map((x) => [Math.random(), x]).sort().map((x) => x[1])`;
  }),
  chance('a UUID', ({ word }) => `late.textContent = '${word} ' + crypto.randomUUID()`),
  chance('bytes', ({ word }) => `late.textContent = '${word} ' + crypto.getRandomValues(new Uint8Array(8))`),
  chance('a color in a frame', ({ color }) => {
    const inner = `<body><script>document.body.style.background = 'hsl(' + Math.random() * 360 + ' 50% 50%)'</script>`;
    return `late.style.background = '${color}'; document.body.insertAdjacentHTML('beforeend', '<iframe src="/echo?body=${parameter(inner)}"></iframe>')`;
  }),
  dated('the time', 'new Date().toISOString()'),
  dated('the time as text', 'Date()'),
  dated('the time as a number', 'Date.now()'),
  dated('the time in words', `new Intl.DateTimeFormat('en', { timeStyle: 'medium' }).format()`),
  dated('the time of a class', 'new (class extends Date {})().getTime()'),
  {
    name: 'dated: a clock that ticks',
    body: ({ word }) =>
      lateBody(`setInterval(() => { late.textContent = '${word} ' + new Date().toLocaleTimeString() }, 250)`),
    needs: FIXED,
  },
  {
    name: 'dated: a page that waits for the date to pass',
    body: ({ word }) =>
      lateBody(
        `const t = Date.now(); const k = setInterval(() => { if (Date.now() > t + 900) { clearInterval(k); late.textContent = '${word} ' + new Date().toISOString().slice(0, 15) } }, 60)`,
      ),
    needs: RUNNING,
  },
  {
    name: 'ruled out: how long it took',
    body: ({ word }) => `<p>${word}</p><p id="hidden"></p><script>hidden.textContent = performance.now()</script>`,
    needs: HIDDEN,
  },
  {
    name: 'ruled out: a text that is new each time',
    body: ({ word }) => `<p>${word}</p><script src="/count.js"></script>`,
    needs: HIDDEN,
  },
];
