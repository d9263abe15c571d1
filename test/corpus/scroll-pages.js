import { box, late, lateBody, lateImage, latePage, moves, SPIN, tall, wait } from './corpus-page.js';

const parts = (count, part) => Array.from({ length: count }, (_, index) => part(index)).join('');

/** As on many sites: parts fade in and rise as they come into view. */
const reveal = (
  v,
  { count = 12, style = 'transition: opacity .6s, transform .6s', options = '{ threshold: .15 }' } = {},
) => {
  const part = (index) =>
    `<figure class="part"><div style="height:${140 + (index % 3) * 60}px;background:${index % 4 === 2 ? v.color : '#ddd'}">${v.word} ${index}</div></figure><p>Some words about it.</p>`;
  return `<style>.reveal { opacity: 0; transform: translateY(24px); ${style} } .reveal.shown { opacity: 1; transform: none }</style>${parts(count, part)}<script>const o = new IntersectionObserver((es) => { for (const e of es) if (e.isIntersecting) { e.target.classList.add('shown'); o.unobserve(e.target) } }, ${options}); for (const f of document.querySelectorAll('.part')) { f.classList.add('reveal'); o.observe(f) }</script>`;
};

const header = (v, style, script) =>
  tall(
    `<style>#h { background: ${v.color}; color: #fff; padding: 20px; ${style} } #h.small { padding: 4px } #h.away { transform: translateY(-100%) }</style><header id="h">${v.word}</header>`,
    `<script>${script}</script>`,
  );

/** What scrolling shows, moves or loads. */
export const SCROLL_PAGES = [
  moves('parts that fade in as they come into view', (v) => reveal(v)),
  moves('many parts that fade in as they come into view', (v) => reveal(v, { count: 60 })),
  moves('parts that fade in one after the other', (v) => {
    return reveal(v, {
      style: 'transition: opacity .6s, transform .6s',
      options: '{ rootMargin: "0px 0px -20% 0px" }',
    }).replaceAll("e.target.classList.add('shown')", "setTimeout(() => e.target.classList.add('shown'), 120)");
  }),
  moves('parts that come and go with the viewport', (v) => {
    return reveal(v).replace(
      "if (e.isIntersecting) { e.target.classList.add('shown'); o.unobserve(e.target) }",
      "e.target.classList.toggle('shown', e.isIntersecting)",
    );
  }),
  moves('parts that fade in by an animation', (v) => {
    return `<style>@keyframes rise { from { opacity: 0; transform: translateY(40px) } } .in { animation: rise .8s both }</style>${parts(8, (n) => `<div class="part" style="height:220px;background:${n % 2 ? v.color : '#eee'}">${v.word}</div>`)}<script>const o = new IntersectionObserver((es) => { for (const e of es) if (e.isIntersecting) { e.target.classList.add('in'); o.unobserve(e.target) } }); for (const f of document.querySelectorAll('.part')) o.observe(f)</script>`;
  }),
  moves('parts that fade in by listening to scrolling', (v) => {
    return `<style>.part { height: 240px; opacity: 0; transition: opacity .7s; background: ${v.color} }</style>${parts(8, () => `<div class="part">${v.word}</div>`)}<script>const f = () => { for (const p of document.querySelectorAll('.part')) if (p.getBoundingClientRect().top < innerHeight * 0.9) p.style.opacity = 1 }; addEventListener('scroll', f); f()</script>`;
  }),
  moves('numbers that count up as they come into view', (v) => {
    return tall(
      '',
      `<p style="color:${v.color}" id="n">0</p><script>new IntersectionObserver(([e], o) => { if (!e.isIntersecting) return; o.disconnect(); const t = performance.now(); (function f() { const p = Math.min(1, (performance.now() - t) / 1500); n.textContent = Math.round(p * ${v.word.length * 1000}); if (p < 1) requestAnimationFrame(f) })() }).observe(n)</script>`,
    );
  }),
  moves('an animation that follows scrolling', (v) => {
    return tall(
      `<style>@keyframes grow { to { width: 100% } } #b { position: fixed; top: 0; left: 0; height: 8px; width: 10%; background: ${v.color}; animation: grow linear; animation-timeline: scroll() }</style><div id="b"></div>`,
    );
  }),
  moves('an animation that follows the view', (v) => {
    return tall(
      '',
      `<style>@keyframes fade { from { opacity: 0; translate: 90px } } .v { background: ${v.color}; animation: fade linear both; animation-timeline: view(); animation-range: entry 10% cover 40% }</style><p class="v">${v.word}</p><div style="height:400px"></div><p class="v">${v.word}</p>`,
    );
  }),
  moves('an animation by script that follows scrolling', (v) => {
    return tall(
      `${box(v)}<script>document.querySelector('.box').animate({ translate: ['0', '150px'] }, { fill: 'both', timeline: new ScrollTimeline({ source: document.documentElement }) })</script>`,
    );
  }),
  moves('a header that shrinks', (v) => {
    return header(
      v,
      'position: sticky; top: 0; transition: padding .4s',
      "addEventListener('scroll', () => h.classList.toggle('small', scrollY > 60))",
    );
  }),
  moves('a header that hides on the way down', (v) => {
    return header(
      v,
      'position: fixed; top: 0; left: 0; right: 0; transition: transform .5s',
      "let y = 0; addEventListener('scroll', () => { h.classList.toggle('away', scrollY > y); y = scrollY })",
    );
  }),
  moves('a header that follows with a frame of delay', (v) => {
    return header(
      v,
      'position: fixed; top: 0; left: 0; right: 0',
      "let b = false; addEventListener('scroll', () => { if (b) return; b = true; requestAnimationFrame(() => { b = false; h.style.opacity = scrollY > 100 ? 0.4 : 1 }) })",
    );
  }),
  moves('a header that follows after a while', (v) => {
    return header(
      v,
      'position: sticky; top: 0',
      "let k; addEventListener('scroll', () => { clearTimeout(k); k = setTimeout(() => { h.dataset.y = h.textContent = '" +
        v.word +
        " ' + Math.round(scrollY) }, 180) })",
    );
  }),
  moves('a background that moves slower', (v) => {
    return tall(
      `<div id="p" style="height:200px;background:linear-gradient(${v.color},#fff)">${v.word}</div><script>addEventListener('scroll', () => { p.style.transform = 'translateY(' + scrollY * 0.4 + 'px)' })</script>`,
    );
  }),
  moves('a background that is fixed', (v) => {
    return tall(`<div style="height:300px;background:linear-gradient(${v.color},#fff) fixed">${v.word}</div>`);
  }),
  moves('a bar that shows how far one has read', (v) => {
    return tall(
      `<div id="b" style="position:fixed;top:0;left:0;height:6px;background:${v.color};transition:width .3s;width:3%"></div><script>addEventListener('scroll', () => { b.style.width = 3 + 97 * scrollY / (document.body.scrollHeight - innerHeight) + '%' })</script>`,
    );
  }),
  moves('a button back to the top', (v) => {
    return tall(
      `<button id="b" style="position:fixed;right:9px;bottom:9px;opacity:0;transition:opacity .5s">Top</button><p style="color:${v.color}">${v.word}</p><script>addEventListener('scroll', () => { b.style.opacity = scrollY > 200 ? 1 : 0 })</script>`,
    );
  }),
  moves('a list of contents that marks where one is', (v) => {
    const links = parts(5, (n) => `<a href="#s${n}">${v.word} ${n}</a> `);
    const sections = parts(5, (n) => `<section id="s${n}" style="height:500px">Part ${n}</section>`);
    return `<style>.on { background: ${v.color}; transition: background .4s }</style><nav style="position:sticky;top:0">${links}</nav>${sections}<script>new IntersectionObserver((es) => { for (const e of es) document.querySelector('[href="#' + e.target.id + '"]').classList.toggle('on', e.isIntersecting) }, { threshold: .5 }).observe(s0); for (const s of document.querySelectorAll('section')) new IntersectionObserver((es) => { for (const e of es) document.querySelector('[href="#' + e.target.id + '"]').classList.toggle('on', e.isIntersecting) }, { threshold: .5 }).observe(s)</script>`;
  }),
  moves('a table whose head sticks', (v) => {
    return `<style>th { position: sticky; top: 0; background: ${v.color} } td, th { padding: 9px }</style><table><thead><tr><th>${v.word}<th>Other</thead>${parts(60, (n) => `<tr><td>${n}<td>Row`)}</table>`;
  }),
  moves('a side column that sticks', (v) => {
    return `<div style="display:flex"><aside style="position:sticky;top:9px;align-self:start;background:${v.color}">${v.word}</aside><div style="height:2400px;flex:1;background:linear-gradient(#fff,#aaa)">Long</div></div>`;
  }),
  moves("a hero of the viewport's height", (v) => {
    return `<div style="height:100vh;background:${v.color}">${v.word}</div><div style="min-height:100dvh">Second</div><div style="height:100svh">Third</div>`;
  }),
  moves('a hero whose height is set by script', (v) => {
    return `<div id="d" style="background:${v.color}">${v.word}</div><div style="height:900px">Rest</div><script>const f = () => { d.style.height = innerHeight * 0.8 + 'px' }; f(); addEventListener('resize', f)</script>`;
  }),
  moves('a row that snaps', (v) => {
    return `<div id="s" style="display:flex;overflow:auto;scroll-snap-type:x mandatory;width:300px">${parts(5, (n) => `<div style="flex:0 0 260px;height:60px;scroll-snap-align:center;background:${n === 2 ? v.color : '#ddd'}">${n}</div>`)}</div><script>setTimeout(() => s.scrollTo({ left: 520, behavior: 'smooth' }), 500)</script>`;
  }),
  moves('slides that glide once', (v) => {
    return `<div style="overflow:hidden;width:300px"><div id="t" style="display:flex;transition:transform .8s">${parts(3, (n) => `<div style="flex:0 0 300px;height:60px;background:${n === 2 ? v.color : '#ddd'}">${n}</div>`)}</div></div><script>let n = 0; const k = setInterval(() => { t.style.transform = 'translateX(' + -300 * (n += 1) + 'px)'; if (n === 2) clearInterval(k) }, 900)</script>`;
  }),
  moves('slides that glide without end', (v) => {
    return `<div style="overflow:hidden;width:300px"><div id="t" style="display:flex;transition:transform .5s">${parts(3, (n) => `<div style="flex:0 0 300px;height:60px;background:${v.color};opacity:${1 - n / 4}">${n}</div>`)}</div></div><script>let n = 0; setInterval(() => { t.style.transform = 'translateX(' + -300 * ((n += 1) % 3) + 'px)' }, 1500)</script>`;
  }),
  moves('slides that are scrolled without end', (v) => {
    return `<div id="s" style="display:flex;overflow:auto;width:300px">${parts(4, (n) => `<div style="flex:0 0 300px;height:60px;background:${v.color};opacity:${1 - n / 5}">${n}</div>`)}</div><script>let n = 0; setInterval(() => s.scrollTo({ left: 300 * ((n += 1) % 4), behavior: 'smooth' }), 1200)</script>`;
  }),
  moves('slides by style alone', (v) => {
    return `<style>@keyframes go { 0%, 30% { translate: 0 } 35%, 60% { translate: -300px } 65%, 95% { translate: -600px } } #t { display: flex; animation: go 9s infinite }</style><div style="overflow:hidden;width:300px"><div id="t">${parts(3, (n) => `<div style="flex:0 0 300px;height:60px;background:${v.color};opacity:${1 - n / 4}">${n}</div>`)}</div></div>`;
  }),
  moves('a ticker by style', (v) => {
    return `<style>@keyframes go { to { translate: -50% } } #t { display: inline-block; white-space: nowrap; animation: go 8s linear infinite }</style><div style="overflow:hidden;width:300px"><div id="t">${`${v.word} `.repeat(12)}</div></div>`;
  }),
  moves('a ticker by script', (v) => {
    return `<div style="overflow:hidden;width:300px"><div id="t" style="display:inline-block;white-space:nowrap">${`${v.word} `.repeat(12)}</div></div><script>let x = 0; (function f() { x = (x + 0.7) % 200; t.style.transform = 'translateX(-' + x + 'px)'; requestAnimationFrame(f) })()</script>`;
  }),
  moves('a page that scrolls itself', (v) => {
    return tall(
      `<p>${v.word}</p><script>addEventListener('load', () => setTimeout(() => scrollTo({ top: 900, behavior: 'smooth' }), 400))</script>`,
    );
  }),
  moves('a page with smooth scrolling', (v) => {
    return tall(
      `<style>html { scroll-behavior: smooth }</style><p style="background:${v.color}">${v.word}</p><script>setTimeout(() => scrollTo(0, 700), 700)</script>`,
    );
  }),
  moves('a chat that keeps to its end', (v) => {
    return `<div id="s" style="height:120px;overflow:auto;border:1px solid"></div><script>let n = 0; const k = setInterval(() => { s.insertAdjacentHTML('beforeend', '<p>${v.word} ' + (n += 1) + '</p>'); s.scrollTop = s.scrollHeight; if (n === 10) clearInterval(k) }, 150)</script>`;
  }),
  late('a small part that is shown well within the window', (_, { word }) => {
    const part = `<p id="part" style="position:absolute;top:912px;height:30px;margin:0;visibility:hidden">${word}</p>`;
    return `document.body.insertAdjacentHTML('beforeend', '<div style="height:3000px"></div>${part}'); new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting) part.style.visibility = 'visible' }, { rootMargin: '0px 0px -100px 0px' }).observe(part)`;
  }),
  late('a list that loads more, twice', (_, v) => {
    return `late.innerHTML = '<div style="height:600px">First</div><i id="end"></i>'; let n = 0; new IntersectionObserver(([e], o) => { if (!e.isIntersecting || n === 2) return; n += 1; fetch('${wait(400, v)}').then((r) => r.text()).then((t) => { end.insertAdjacentHTML('beforebegin', '<div style="height:700px">' + t + n + '</div>'); o.unobserve(end); o.observe(end) }) }).observe(end)`;
  }),
  late('a list that draws only what is in view', (_, v) => {
    return `late.style.cssText = 'height:3000px;position:relative'; const f = () => { late.replaceChildren(); for (let n = Math.floor(scrollY / 50); n < Math.min(60, (scrollY + innerHeight) / 50); n += 1) late.insertAdjacentHTML('beforeend', '<p style="position:absolute;margin:0;top:' + n * 50 + 'px">${v.word} ' + n + '</p>') }; addEventListener('scroll', f); addEventListener('resize', f); f()`;
  }),
  late('a box that draws only what is in view', (_, v) => {
    return `late.innerHTML = '<div id="s" style="height:200px;overflow:auto"><div id="in" style="height:4000px;position:relative"></div></div>'; const f = () => { document.getElementById('in').replaceChildren(); for (let n = Math.floor(s.scrollTop / 40); n < (s.scrollTop + 200) / 40; n += 1) document.getElementById('in').insertAdjacentHTML('beforeend', '<p style="position:absolute;margin:0;top:' + n * 40 + 'px">${v.word} ' + n + '</p>') }; s.addEventListener('scroll', () => requestAnimationFrame(f)); f(); setTimeout(() => { s.scrollTop = 1000 }, 600)`;
  }),
  latePage(
    'parts that are drawn only near the viewport',
    (v) =>
      `<style>section { content-visibility: auto; contain-intrinsic-size: auto 300px }</style>${parts(10, (n) => `<section><h2>${v.word} ${n}</h2><img src="${lateImage(300, v)}"><div style="height:${100 + n * 40}px"></div></section>`)}`,
  ),
  moves('parts drawn only near the viewport, with animations', (v) => {
    return `<style>${SPIN} section { content-visibility: auto; contain-intrinsic-size: 300px } .box { animation: spin 1.5s infinite } i { transition: opacity 1s }</style>${parts(8, () => `<section style="height:300px">${box(v)}</section>`)}`;
  }),
  late('a part that is loaded when it comes into view', (done, v) => {
    return `late.style.marginTop = '2200px'; new IntersectionObserver(([e], o) => { if (e.isIntersecting) { o.disconnect(); fetch('${wait(700, v)}').then(() => setTimeout(() => { ${done} }, 500)) } }).observe(late)`;
  }),
  latePage(
    'a very tall page',
    (v) =>
      `${lateBody(`setTimeout(() => { late.textContent = '${v.word}' }, 1200)`)}${parts(18, (n) => `<div style="height:1000px;background:hsl(${n * 20} 50% 80%)">${n}</div>`)}`,
  ),
  latePage(
    'a page that is wider than the viewport',
    (v) =>
      `<div style="width:1900px;background:linear-gradient(90deg,#fff,#888)">Wide</div>${lateBody(`setTimeout(() => { late.textContent = '${v.word}'; late.style.width = '2100px' }, 900)`)}`,
  ),
];
