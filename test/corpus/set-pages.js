import { lateBody, parameter } from './corpus-page.js';

const FIXED = { clock: { mode: 'fixed', at: '2026-01-02T03:04:05Z' } };
const RUNNING = { clock: { mode: 'running', at: '2026-01-02T03:04:05Z' } };
const HIDDEN = { customCss: '#hidden { visibility: hidden }' };

const chance = (name, script) => ({
  name: `left to chance: ${name}`,
  body: (variant) => lateBody(script(variant)),
});

const dated = (name, text, needs = FIXED) => ({
  name: `dated: ${name}`,
  body: ({ word }) => lateBody(`late.textContent = '${word} ' + ${text}`),
  needs,
});

const RULES = { hide: [], remove: [], mask: [], ignore: [], waitFor: [], actions: [], css: '' };
const ruled = (name, body, rules, settings = {}) => ({
  name: `ruled out: ${name}`,
  body,
  needs: { rules: { ...RULES, ...rules }, ...settings },
});

/** Pages that are left to chance, or need a setting, and which. */
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

/** More of them. */
export const MORE_SET_PAGES = [
  chance('a color', ({ color, word }) => {
    return `late.textContent = '${word}'; late.style.cssText = 'border:9px solid ${color};background:hsl(' + Math.random() * 360 + ' 60% 60%)'`;
  }),
  chance('places', ({ word }) => {
    return `late.style.cssText = 'position:relative;height:200px'; for (let n = 0; n < 9; n += 1) late.insertAdjacentHTML('beforeend', '<b style="position:absolute;left:' + Math.random() * 200 + 'px;top:' + Math.random() * 180 + 'px">${word}</b>')`;
  }),
  chance('widths of a skeleton', ({ color }) => {
    return `for (let n = 0; n < 5; n += 1) late.insertAdjacentHTML('beforeend', '<p style="height:12px;background:${color};width:' + (40 + Math.random() * 50) + '%"></p>')`;
  }),
  chance('one of several', ({ word }) => {
    return `late.textContent = ['One', 'Two', 'Three', 'Four', 'Five'][Math.floor(Math.random() * 5)] + ' ${word}'`;
  }),
  chance('a number, later', ({ word }) => {
    return `setTimeout(() => { late.textContent = '${word} ' + Math.random().toString(36).slice(2) }, 900)`;
  }),
  chance('a number in a closed shadow root', ({ word }) => {
    return `late.attachShadow({ mode: 'closed' }).innerHTML = '<b>${word} ' + Math.random() + '</b>'`;
  }),
  chance('a number of a module', ({ word }) => {
    return `import('/wait?ms=100&type=text/javascript&body=' + encodeURIComponent("late.textContent = '${word} ' + Math.random()"))`;
  }),
  chance('a part that is one of two', ({ word, color }) => {
    return `if (Math.random() < 0.5) late.style.background = '${color}'; late.textContent = '${word}'`;
  }),
  chance('a drawing', ({ color }) => {
    return `late.innerHTML = '<canvas id="c" width="200" height="80"></canvas>'; const x = c.getContext('2d'); x.fillStyle = '${color}'; for (let n = 0; n < 30; n += 1) x.fillRect(Math.random() * 200, Math.random() * 80, 9, 9)`;
  }),
  chance('particles without end', ({ color }) => {
    return `late.innerHTML = '<canvas id="c" width="200" height="80"></canvas>'; const x = c.getContext('2d'); (function f() { x.clearRect(0, 0, 200, 80); x.fillStyle = '${color}'; for (let n = 0; n < 9; n += 1) x.fillRect(Math.random() * 200, Math.random() * 80, 9, 9); requestAnimationFrame(f) })()`;
  }),
  dated('the day', 'new Date().toDateString()'),
  dated('the year', 'new Date().getFullYear() + new Date().toISOString()'),
  dated('the time that is left', `Math.round((new Date('2030-01-01') - Date.now()) / 50)`),
  dated(
    'how long ago',
    `new Intl.RelativeTimeFormat('en').format(Math.round((new Date('2020-01-01') - new Date()) / 100), 'second')`,
  ),
  dated(
    'the parts of the time',
    `new Intl.DateTimeFormat('en', { hour: 'numeric', minute: 'numeric', second: 'numeric', fractionalSecondDigits: 3 }).formatToParts().map((p) => p.value).join('')`,
  ),
  dated('the time of the document', 'document.lastModified'),
  dated('the time when it began', 'Math.floor(performance.timeOrigin / 1000)'),
  {
    name: 'dated: a countdown',
    body: ({ word }) =>
      lateBody(
        `const end = new Date('2030-01-01'); const f = () => { const s = Math.floor((end - new Date()) / 1000); late.textContent = '${word} ' + Math.floor(s / 86400) + ' d ' + (s % 86400) + ' s' }; f(); setInterval(f, 1000)`,
      ),
    needs: FIXED,
  },
  {
    name: 'dated: hands of a clock',
    body: ({ color }) =>
      `<i id="h" style="display:block;width:80px;height:4px;background:${color};transform-origin:left"></i><script>const f = () => { const d = new Date(); h.style.rotate = (d.getSeconds() + d.getMilliseconds() / 1000) * 6 + 'deg'; requestAnimationFrame(f) }; f()</script>`,
    needs: FIXED,
  },
  {
    name: 'dated: a time in a frame',
    body: ({ word }) =>
      `<iframe src="/echo?body=${parameter(`<p id="p"></p><script>p.textContent = '${word} ' + new Date().toISOString()</script>`)}"></iframe>`,
    needs: FIXED,
  },
  ruled(
    'a text that is fetched',
    ({ word }) =>
      lateBody(
        `fetch('/count').then((r) => r.text()).then((t) => { late.innerHTML = '${word} <i class="x">' + t + '</i>' })`,
      ),
    { hide: ['.x'] },
  ),
  ruled('a frame with an ad', ({ word }) => `<p>${word}</p><iframe class="x" src="/ad"></iframe>`, { mask: ['.x'] }),
  ruled('a frame with an ad that is left out', ({ word }) => `<iframe class="x" src="/ad"></iframe><p>${word}</p>`, {
    remove: ['.x'],
  }),
  ruled(
    'an ad of another site',
    ({ word }) =>
      `<p>${word}</p><script>document.write('<iframe src="http://localhost:' + location.port + '/ad"></iframe>')</script>`,
    {},
    { blockHosts: ['localhost'] },
  ),
  ruled(
    'a part of chance in a closed shadow root',
    ({ word }) =>
      `<p>${word}</p><x-a id="host"></x-a><script>fetch('/count').then((r) => r.text()).then((t) => { host.attachShadow({ mode: 'closed' }).innerHTML = '<p>' + t + '</p>' })</script>`,
    { hide: ['x-a'] },
  ),
  ruled(
    'an ad that comes late, of any height',
    ({ word }) =>
      `<div id="x"></div><p>${word}</p><script>setTimeout(() => fetch('/count').then((r) => r.text()).then((t) => { x.style.height = 20 + (t % 7) * 15 + 'px'; x.textContent = t }), 900)</script>`,
    { remove: ['#x'] },
  ),
  ruled(
    'a part behind a button',
    ({ word }) => `<button onclick="this.nextSibling.hidden = false">More</button><p hidden>${word}</p>`,
    { actions: [{ type: 'click', selector: 'button' }] },
  ),
  ruled(
    'a part that comes very late',
    (variant) =>
      lateBody(`setTimeout(() => { late.innerHTML = '<b class="done"></b>'; late.append('${variant.word}') }, 6500)`),
    { waitFor: ['.done'] },
  ),
];
