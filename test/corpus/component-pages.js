import { late, lateBody, moves, tall, wait } from './corpus-page.js';

/** Parts of user interfaces that come, go, open, or hold a focus. */
export const COMPONENT_PAGES = [
  late('a dialog', (_, { word }) => {
    return `document.body.insertAdjacentHTML('beforeend', '<dialog id="d"><p>${word}</p><button>OK</button></dialog>'); setTimeout(() => d.showModal(), 1500)`;
  }),
  late('a dialog that fades in', (_, { word }) => {
    return `document.body.insertAdjacentHTML('beforeend', '<style>dialog { transition: opacity 1s, display 1s allow-discrete; opacity: 0 } dialog[open] { opacity: 1 } @starting-style { dialog[open] { opacity: 0 } } dialog::backdrop { background: rgb(0 0 0 / 50%); transition: background 1s }</style><dialog id="d"><input value="${word}"></dialog>'); setTimeout(() => d.showModal(), 1300)`;
  }),
  late('a popover', (_, { word }) => {
    return `document.body.insertAdjacentHTML('beforeend', '<div id="d" popover>${word}</div>'); setTimeout(() => d.showPopover(), 1200)`;
  }),
  late('details that open', (_, { word }) => {
    return `document.body.insertAdjacentHTML('beforeend', '<style>details { interpolate-size: allow-keywords } details::details-content { height: 0; transition: height 1s, content-visibility 1s allow-discrete } details[open]::details-content { height: auto }</style><details id="d"><summary>More</summary><p>${word}</p></details>'); setTimeout(() => { d.open = true }, 1300)`;
  }),
  late('a banner about cookies', (_, { word }) => {
    return `setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<div style="position:fixed;bottom:0;left:0;right:0;background:#eee">${word} cookies <button>Fine</button></div>'), 1800)`;
  }),
  late('a banner that slides in', (_, { word, color }) => {
    return `document.body.insertAdjacentHTML('beforeend', '<div id="b" style="position:fixed;bottom:0;left:0;right:0;background:${color};transform:translateY(100%);transition:transform .8s">${word}</div>'); setTimeout(() => { b.style.transform = 'none' }, 1400)`;
  }),
  late('a banner that pushes the page down', (_, { word }) => {
    return `setTimeout(() => document.body.insertAdjacentHTML('afterbegin', '<div style="height:70px;background:#eee">${word}</div>'), 1600)`;
  }),
  late('a toast that comes and goes', (_, { word }) => {
    return `late.textContent = '${word}'; setTimeout(() => late.insertAdjacentHTML('afterend', '<div id="t" style="position:fixed;top:9px;right:9px;transition:opacity .5s">Saved</div>'), 700); setTimeout(() => { t.style.opacity = 0 }, 2200); setTimeout(() => t.remove(), 2800)`;
  }),
  late('a spinner', (done) => {
    return `late.innerHTML = '<style>@keyframes r { to { rotate: 1turn } } i { display: inline-block; width: 20px; height: 20px; border: 4px dotted; animation: r 1s infinite linear }</style><i></i>'; setTimeout(() => { ${done} }, 1900)`;
  }),
  late('a skeleton that shimmers', (done, v) => {
    return `late.innerHTML = '<style>@keyframes s { to { background-position: 200px 0 } } .k { height: 60px; background: linear-gradient(90deg,#eee,#fff,#eee) 0 / 200px; animation: s 1s infinite linear }</style><div class="k"></div>'; fetch('${wait(2100, v)}').then(() => { ${done} })`;
  }),
  late('a skeleton of three requests', (_, v) => {
    return `late.innerHTML = '<p class="k">…</p>'.repeat(3); [...document.querySelectorAll('.k')].forEach((k, n) => fetch('/wait?ms=' + (700 + 600 * n) + '&body=${v.word}').then((r) => r.text()).then((t) => { k.textContent = t }))`;
  }),
  late('a part that fades in', (_, { word }) => {
    return `setTimeout(() => { late.innerHTML = '<style>.f { transition: opacity 1.2s } @starting-style { .f { opacity: 0 } }</style><p class="f">${word}</p>' }, 900)`;
  }),
  late('a part that fades out', (_, { word }) => {
    return `late.innerHTML = '<p>${word}</p><p id="f" style="transition:opacity 1s">Loading</p>'; setTimeout(() => { f.style.opacity = 0 }, 900); late.addEventListener('transitionend', () => f.remove())`;
  }),
  late('a tab that takes turns, once', (_, { word }) => {
    return `late.innerHTML = '<p>One</p><p hidden>${word}</p>'; setTimeout(() => { for (const p of late.children) p.hidden = !p.hidden }, 1500)`;
  }),
  late('a menu that opens', (_, { word }) => {
    return `late.innerHTML = '<button aria-expanded="false">Menu</button><ul style="max-height:0;overflow:hidden;transition:max-height 1s"><li>${word}</li></ul>'; setTimeout(() => { late.firstChild.ariaExpanded = 'true'; late.lastChild.style.maxHeight = '90px' }, 1100)`;
  }),
  late('a focus', (_, { color }) => {
    return `late.innerHTML = '<style>input:focus { background: ${color} }</style><input id="i">'; setTimeout(() => i.focus(), 1300)`;
  }),
  late('a focus that is lost', (_, { color, word }) => {
    return `late.innerHTML = '<style>input:focus { background: gray }</style><input id="i" value="${word}" style="color:${color}">'; i.focus(); setTimeout(() => i.blur(), 1200)`;
  }),
  late(
    'a selection',
    (_, { word }) => `late.textContent = '${word}'; setTimeout(() => getSelection().selectAllChildren(late), 900)`,
  ),
  late('a text field that fits its text', (_, { word }) => {
    return `late.innerHTML = '<textarea id="t" style="overflow:hidden"></textarea>'; setTimeout(() => { t.value = '${word}\\n'.repeat(8); t.style.height = t.scrollHeight + 'px' }, 1100)`;
  }),
  late('a custom state', (_, { color }) => {
    return `document.head.insertAdjacentHTML('beforeend', '<style>x-s:state(done) { color: ${color} }</style>'); late.innerHTML = '<x-s>Text</x-s>'; customElements.define('x-s', class extends HTMLElement { connectedCallback() { const i = this.attachInternals(); setTimeout(() => i.states.add('done'), 1300) } })`;
  }),
  late('a highlight', (_, { color, word }) => {
    return `late.innerHTML = '<style>::highlight(h) { background: ${color} }</style><p id="t">${word}</p>'; setTimeout(() => { const r = new Range(); r.selectNodeContents(t); CSS.highlights.set('h', new Highlight(r)) }, 1300)`;
  }),
  late('a value that is not valid', (_, { color }) => {
    return `late.innerHTML = '<style>:user-invalid, :invalid { outline: 4px solid ${color} }</style><input id="i" value="x">'; setTimeout(() => i.setCustomValidity('no'), 1200)`;
  }),
  late('a meter', (_, { word }) => {
    return `late.innerHTML = '<meter id="m" value=".1"></meter><progress id="p" value=".1"></progress>'; setTimeout(() => { m.value = p.value = ${word.length} / 8 }, 1200)`;
  }),
  late('an editor that is filled', (_, { word }) => {
    return `late.contentEditable = 'true'; late.focus(); setTimeout(() => document.execCommand('insertText', false, '${word}'), 1000)`;
  }),
  late('a part in full view', (_, { word }) => {
    return `late.innerHTML = '<div id="d" popover="manual" style="inset:0;width:100%;height:100%">${word}</div>'; setTimeout(() => d.togglePopover(true), 900)`;
  }),
  late('columns that are set out', (_, { color }) => {
    return `late.style.position = 'relative'; late.innerHTML = '<div class="t">A</div>'.repeat(9); setTimeout(() => { [...late.children].forEach((t, n) => { t.style.cssText = 'position:absolute;transition:all .7s;background:${color};width:80px;height:' + (30 + n * 5) + 'px;left:' + (n % 3) * 90 + 'px;top:' + Math.floor(n / 3) * 80 + 'px' }) }, 800)`;
  }),
  late('a chart that grows', (_, { color }) => {
    return `late.innerHTML = '<svg width="200" height="100"></svg>'; const s = late.firstChild; let n = 0; (function f() { n += 1; s.innerHTML = '<rect width="40" fill="${color}" height="' + n + '"/><rect x="60" width="40" fill="${color}" height="' + n / 2 + '"/>'; if (n < 90) requestAnimationFrame(f) })()`;
  }),
  moves('a clock with hands that stand for nothing', ({ color }) => {
    return `<style>@keyframes t { to { rotate: 1turn } } i { display: block; width: 80px; height: 4px; background: ${color}; transform-origin: left; animation: t 12s steps(60) infinite }</style><i></i>`;
  }),
  moves('a list that is sorted with motion', (v) => {
    return `<ul id="l">${[3, 1, 2].map((n) => `<li>${v.word} ${n}</li>`).join('')}</ul><script>setTimeout(() => { const all = [...l.children]; const was = all.map((e) => e.getBoundingClientRect().top); l.append(...all.toSorted((a, b) => (a.textContent < b.textContent ? -1 : 1))); all.forEach((e, n) => e.animate({ transform: ['translateY(' + (was[n] - e.getBoundingClientRect().top) + 'px)', 'none'] }, 900)) }, 700)</script>`;
  }),
  moves('controls of a video', ({ word }) => `<video controls muted autoplay loop src="/video?word=${word}"></video>`),
  moves('a video that plays by itself', ({ word }) => `<video muted autoplay loop src="/video?word=${word}"></video>`),
  moves('a video that plays once', ({ word }) => `<video muted autoplay src="/video?word=${word}"></video>`),
  moves('a video as background', ({ word }) => {
    return tall(
      `<video style="position:fixed;inset:0;width:100%;height:100%;object-fit:cover;z-index:-1" muted autoplay loop src="/video?word=${word}"></video><h1>Title</h1>`,
    );
  }),
  moves('a video that is started late', ({ word }) => {
    return `<video id="v" muted src="/video?word=${word}"></video><script>setTimeout(() => v.play(), 900)</script>`;
  }),
  moves('a video that is made by script', ({ word }) => {
    return lateBody(
      `setTimeout(() => { const v = document.createElement('video'); v.muted = v.autoplay = v.loop = true; v.src = '/video?word=${word}'; late.append(v) }, 700)`,
    );
  }),
  moves('a video in a closed shadow root', ({ word }) => {
    return `<div id="host"></div><script>host.attachShadow({ mode: 'closed' }).innerHTML = '<video muted autoplay loop src="/video?word=${word}"></video>'</script>`;
  }),
  moves('a video drawn on a canvas', ({ word, color }) => {
    return `<p style="color:${color}">${word}</p><canvas id="c" width="64" height="48"></canvas><video id="v" hidden muted autoplay loop src="/video?word=${word}"></video><script>const x = c.getContext('2d'); (function f() { x.drawImage(v, 0, 0); requestAnimationFrame(f) })()</script>`;
  }),
  moves('a sound', ({ word }) => `<p>${word}</p><audio controls src="/none.mp3"></audio>`),
];
