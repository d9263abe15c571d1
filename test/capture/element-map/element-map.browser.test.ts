import { describe, expect, it } from '@jest/globals';
import type { CaptureRequest } from '../../../src/capture/browser/capture-request.ts';
import type { ElementMap, MappedElement } from '../../../src/elements/element-map.ts';
import { decodeElementMap } from '../../../src/elements/encode-element-map.ts';
import { selectElements } from '../../../src/elements/select-elements.ts';
import { readPixels } from '../pixels.ts';
import { never, requestOf } from '../requests.ts';
import { siteAndBrowser } from '../site-and-browser.ts';
import { html } from '../site.ts';

const { site, browser } = siteAndBrowser();

async function capture(url: string, changes: Partial<CaptureRequest> = {}) {
  const taken = await browser.capture(requestOf(url, changes), never);
  if (taken.elements === null) throw new Error('no elements');
  return { ...taken, map: await decodeElementMap(taken.elements) };
}

let pages = 0;
async function mapOf(body: string, changes: Partial<CaptureRequest> = {}, style = ''): Promise<ElementMap> {
  pages += 1;
  const url = site.page(`/${pages}`, html(body, `<style>body { margin: 0 } ${style}</style>`));
  return (await capture(url, changes)).map;
}

function find(map: ElementMap, selector: string): MappedElement {
  const [element] = selectElements(map, selector);
  if (element === undefined) throw new Error(`${selector} is not in the map`);
  return element;
}

const scaled = (deviceScaleFactor: number) => ({ viewport: { ...requestOf('').viewport, deviceScaleFactor } });

describe('an element of the map', () => {
  it('is described by what names it, what it shows and how it looks', async () => {
    const map = await mapOf(
      `<nav><a id="go" class="cta big" href="/x" data-testid="go" onclick="" style="color: rgb(1, 2, 3)">Go <b>now</b>
        there</a></nav>`,
    );
    expect(find(map, '#go')).toMatchObject({
      tag: 'a',
      id: 'go',
      classes: ['cta', 'big'],
      attributes: { href: '/x', 'data-testid': 'go' },
      role: 'link',
      name: 'Go now there',
      text: 'Go there',
    });
    expect(find(map, '#go').styles).toMatchObject({ color: 'rgb(1, 2, 3)', display: 'inline', 'border-color': '' });
    expect(map.elements[find(map, '#go').parent]?.tag).toBe('nav');
    expect(map.elements[0]).toMatchObject({ tag: 'html', parent: -1 });
  });

  it('has a role and a name', async () => {
    const cases: [string, string, string][] = [
      ['<h2 class="e">A <i>title</i></h2>', 'heading', 'A title'],
      ['<img class="e" alt="A dog" width="9" height="9">', 'img', 'A dog'],
      ['<label for="mail">Mail</label><input class="e" id="mail">', 'textbox', 'Mail'],
      ['<label>Agreed <input class="e" type="checkbox"></label>', 'checkbox', 'Agreed'],
      ['<input class="e" type="submit" value="Send it">', 'button', 'Send it'],
      [
        '<span id="label">By a label</span><div class="e" role="tab" aria-labelledby="label">x</div>',
        'tab',
        'By a label',
      ],
      ['<button class="e" aria-label="Close">×</button>', 'button', 'Close'],
      ['<header class="e">x</header>', 'banner', ''],
      ['<article><header class="e">x</header></article>', '', ''],
      ['<div class="e">x</div>', '', ''],
    ];
    const map = await mapOf(cases.map(([body], at) => `<div id="case-${at}">${body}</div>`).join(''));
    const told = cases.map(([body], at) => {
      const { role, name } = find(map, `#case-${at} .e`);
      return [body, role, name];
    });
    expect(told).toEqual(cases);
  });

  it('has the words that an empty field shows, and spaces that keep their width', async () => {
    const map = await mapOf('<input id="empty" placeholder="Your name"><p id="sum">10&nbsp;&nbsp;EUR </p>');
    expect(find(map, '#empty').text).toBe('Your name');
    expect(find(map, '#sum').text).toBe('10\u00a0\u00a0EUR');
  });

  it('shows what form fields hold, but no passwords', async () => {
    const map = await mapOf(
      `<input id="mail"><input id="secret" type="password"><textarea id="area">Some text</textarea>
       <select id="list"><option>One<option selected>Two</select>
       <script>mail.value = 'typed'; secret.value = 'hidden'</script>`,
    );
    expect(['mail', 'secret', 'area', 'list'].map((id) => find(map, `#${id}`).text)).toEqual([
      'typed',
      '',
      'Some text',
      'Two',
    ]);
  });
});

const square = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="${color}"/></svg>`;

/** Serves an image, and gives its address. */
function image(content: string, status = 200): string {
  pages += 1;
  return site.page(`/image-${pages}`, (_, response) => {
    response.writeHead(status, { 'content-type': status === 200 ? 'image/svg+xml' : 'text/html' }).end(content);
  });
}

/** Of the element with the id `e`. */
async function pictureOf(body: string, style = ''): Promise<string | null> {
  return find(await mapOf(body, {}, style), '#e').picture;
}

const drawn = (height: number, more = '') =>
  `<canvas id="e" width="40" height="40"></canvas><script>
   const context = e.getContext('2d'); context.fillRect(5, 5, 10, ${height}); ${more}</script>`;

const vector = (color: string, path: string, more = '') =>
  `<svg id="e" ${more}><linearGradient id="g"><stop stop-color="${color}"/></linearGradient>
   <rect width="9" height="9" fill="url(#g)"/><path class="x" d="${path}"/></svg>`;

describe('the picture of an element', () => {
  it('is known by its bytes, wherever they come from', async () => {
    const [red, again, blue] = [square('red'), square('red'), square('blue')].map((svg) => image(svg));
    const data = `data:image/svg+xml,${encodeURIComponent(square('red'))}`;
    const sources = [red, again, data, blue].map((source) => pictureOf(`<img id="e" src="${source}">`));
    const [one, other, written, different] = await Promise.all(sources);
    expect(one).toMatch(/^[0-9a-f]{16}$/);
    expect([other, written]).toEqual([one, one]);
    expect(different).not.toBe(one);
    const moved = site.page('/moved', (_, response) => response.writeHead(302, { location: red }).end());
    expect(await pictureOf(`<img id="e" src="${moved}">`)).toBe(one);
    const blob = `<img id="e"><script>e.src = URL.createObjectURL(new Blob(['${square('red')}'], { type: 'image/svg+xml' }))</script>`;
    expect(await pictureOf(blob)).toBe(one);
  });

  it('is none when it does not load', async () => {
    const gone = image('<h1>Nothing here</h1>', 404);
    expect(await pictureOf(`<img id="e" src="${gone}" alt="A logo" width="40" height="20">`)).toBe('failed A logo');
    const map = await mapOf(`<div id="e" style="background: url(${gone})">x</div>`);
    expect(find(map, '#e').styles['background-image']).toBe(`url("${new URL(gone).pathname}" failed)`);
  });

  it('is in styles that show one, without the host', async () => {
    const address = image(square('red'));
    const style = (
      await mapOf(
        `<div style="mask: url(${address}) 3px 4px; border: 2px solid; border-image: url(${address}) 1">x</div>`,
      )
    ).elements.at(-1)?.styles;
    const hash = await pictureOf(`<img id="e" src="${address}">`);
    expect(style?.mask).toContain(`url("${new URL(address).pathname}" ${hash}) 3px 4px`);
    expect(style?.['border-image']).toContain(`url("${new URL(address).pathname}" ${hash})`);
  });

  it('is what a canvas has drawn, whatever is behind it', async () => {
    const one = await pictureOf(drawn(20));
    expect(await pictureOf(drawn(20), 'body { background: #eef }')).toBe(one);
    expect(await pictureOf(drawn(30))).not.toBe(one);
  });

  it('is read from the screenshot where no script can read it', async () => {
    const foreign = image(square('red')).replace('127.0.0.1', 'localhost');
    const taint = `const image = new Image(); image.onload = () => context.drawImage(image, 20, 0); image.src = '${foreign}';`;
    const one = await pictureOf(drawn(20, taint));
    expect(one).toMatch(/^pixels [0-9a-f]{16}$/);
    expect(await pictureOf(drawn(30, taint))).not.toBe(one);
    const webgl = (color: string) =>
      `<canvas id="e" width="40" height="40" style="background: ${color}"></canvas><script>e.getContext('webgl')</script>`;
    expect(await pictureOf(webgl('red'))).not.toBe(await pictureOf(webgl('blue')));
  });

  it('is the whole of a vector drawing, but for names and for what has styles of its own', async () => {
    const one = await pictureOf(vector('red', 'M0 0h9'));
    expect(await pictureOf(vector('red', 'M0 0h9', 'class="other" style="opacity: 0.5"'))).toBe(one);
    expect(await pictureOf(vector('blue', 'M0 0h9'))).not.toBe(one);
    expect(await pictureOf(vector('red', 'M0 0v9'))).not.toBe(one);
    const used = (path: string) =>
      pictureOf(`<svg hidden><symbol id="s"><path d="${path}"/></symbol></svg><svg id="e"><use href="#s"/></svg>`);
    expect(await used('M0 0h9')).toBe(await used('M0 0h9'));
    expect(await used('M0 0h9')).not.toBe(await used('M0 0v9'));
    const circle = '<svg id="e"><g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g></svg>';
    expect(await pictureOf(circle)).toBe(await pictureOf(circle));
  });

  it('is how a field is set', async () => {
    const states = ['', 'checked'].map((state) => pictureOf(`<input id="e" type="checkbox" ${state}>`));
    expect(await Promise.all(states)).toEqual(['false', 'true']);
    expect(await pictureOf('<progress id="e" value="3">')).not.toBe(await pictureOf('<progress id="e" value="4">'));
  });

  it('tells what a person could see of it', async () => {
    const cases: [string, (id: string) => string, (id: string) => string][] = [
      [
        'the ends of a range',
        (id) => `<input id="${id}" type="range" max="10">`,
        (id) => `<input id="${id}" type="range" max="20">`,
      ],
      [
        'the dots of a password',
        (id) => `<input id="${id}" type="password" value="ab">`,
        (id) => `<input id="${id}" type="password" value="abc">`,
      ],
      [
        'neither',
        (id) => `<input id="${id}" type="checkbox">`,
        (id) => `<input id="${id}" type="checkbox"><script>${id}.indeterminate = true</script>`,
      ],
      [
        'lines of a field',
        (id) => `<textarea id="${id}">a\nb c</textarea>`,
        (id) => `<textarea id="${id}">a b\nc</textarea>`,
      ],
      ['the controls of a video', (id) => `<video id="${id}"></video>`, (id) => `<video id="${id}" controls></video>`],
      ['breaks of lines', (id) => `<p id="${id}">One two<br>three</p>`, (id) => `<p id="${id}">One<br>two three</p>`],
      [
        'the place of a word',
        (id) => `<p id="${id}">One <b>two</b> three</p>`,
        (id) => `<p id="${id}">One three <b>two</b></p>`,
      ],
      [
        'words that a drawing refers to',
        (id) => `<svg id="${id}"><symbol id="on-${id}"><text>On</text></symbol><use href="#on-${id}"/></svg>`,
        (id) => `<svg id="${id}"><symbol id="on-${id}"><text>Of</text></symbol><use href="#on-${id}"/></svg>`,
      ],
    ];
    const body = cases.map(([, one, other], at) => one(`before${at}`) + other(`after${at}`)).join('');
    const [first, second] = [await mapOf(body), await mapOf(body)];
    const told = cases.map(([what], at) => {
      const before = find(first, `#before${at}`).picture;
      const tells = find(first, `#after${at}`).picture !== before;
      return { what, tells, repeats: find(second, `#before${at}`).picture === before };
    });
    expect(told).toEqual(cases.map(([what]) => ({ what, tells: true, repeats: true })));
  });

  it('tells the styles of what has no element in the map', async () => {
    const field = '<input id="e" placeholder="Name">';
    const plain = await pictureOf(field, 'input { color: red } ::placeholder { color: currentcolor }');
    expect(await pictureOf(field, 'input { color: blue } ::placeholder { color: currentcolor }')).toBe(plain);
    expect(await pictureOf(field, 'input { color: red } ::placeholder { color: lime }')).not.toBe(plain);
    const shaded = '<svg id="e"><linearGradient id="g"><stop/></linearGradient><rect fill="url(#g)"/></svg>';
    const one = await pictureOf(shaded, 'svg { color: red } stop { stop-color: currentcolor }');
    expect(await pictureOf(shaded, 'svg { color: blue } stop { stop-color: currentcolor }')).toBe(one);
    expect(await pictureOf(shaded, 'svg { color: red } stop { stop-color: lime }')).not.toBe(one);
  });

  it('is the same however the words of a page are written', async () => {
    const [one, other] = await Promise.all([
      pictureOf('<p id="e">One <b>two</b> three<br>four</p>'),
      pictureOf('<p id="e">\n  One\n  <b>two</b>\n  three<br>\n  four\n</p>'),
    ]);
    expect(other).toBe(one);
  });

  it('tells where a box is scrolled to', async () => {
    const box = '<div id="e" style="height: 20px; overflow: auto"><div style="height: 90px">x</div></div>';
    expect(await pictureOf(box)).toBe('');
    expect(await pictureOf(`${box}<script>e.scrollTop = 30</script>`)).toBe('at 0 30');
  });
});

describe('what style sheets add', () => {
  it('is kept with its words and styles, and no selector finds it', async () => {
    const map = await mapOf(
      '<p id="p">One</p><ol start="4"><li>Two</li></ol>',
      {},
      '#p::before { content: "Note " counter(n); color: rgb(1, 2, 3) } #p::after { content: ""; display: block; width: 7px; height: 3px } p::first-letter { color: red }',
    );
    const parts = map.generated.map(({ tag, text, parent }) => [map.elements[parent]?.tag, tag, text]);
    expect(parts).toEqual(
      expect.arrayContaining([
        ['p', '::before', expect.stringMatching(/ote 0$/)],
        ['p', '::after', ''],
        ['li', '::marker', '4.'],
      ]),
    );
    const before = map.generated.find(({ tag }) => tag === '::before');
    expect(before?.styles.color).toBe('rgb(1, 2, 3)');
    expect(map.generated.find(({ tag }) => tag === '::after')?.box).toEqual([0, expect.any(Number), 7, 3]);
    expect(selectElements(map, '#p *')).toEqual([]);
    expect(find(map, 'p:last-of-type').text).toBe('One');
  });
});

describe('sizes and places', () => {
  it('are kept as they are set', async () => {
    const map = await mapOf(
      `<div id="e" style="position: absolute; left: 20%; width: 50%; height: 60px; margin: 0 auto; padding: 5%; transform: translate(-50%)">x</div>
       <div id="host"><b>Given</b></div><iframe srcdoc="<p id='in' style='width: 30%'>In</p>"></iframe>
       <script>document.querySelector('#host').attachShadow({ mode: 'closed' }).innerHTML = '<i id="c" style="display: block; height: 2em">C</i><slot></slot>'</script>`,
    );
    expect(find(map, '#e').styles).toMatchObject({
      left: '20%',
      top: 'auto',
      width: '50%',
      height: '60px',
      margin: '0px auto',
      padding: '5%',
      transform: 'translate(-50%, 0px)',
    });
    expect(find(map, '#c').styles).toMatchObject({ height: '32px', width: 'auto' });
    expect(find(map, '#host b').styles.width).toBe('auto');
    expect(find(map, '#in').styles.width).toBe('30%');
  });
});

describe('boxes of a map', () => {
  it.each([1, 2, 1.5])('are where the screenshot shows them, at %d pixels for each px', async (factor) => {
    const url = site.page(
      `/boxes-${factor}`,
      html(
        `<div style="height:1300px"></div><div id="low" style="width:60px;height:40px;margin-left:100px;background:#0f0"></div>
         <div id="fixed" style="position:fixed;bottom:0;right:0;width:50px;height:20px;background:#f00"></div>
         <iframe srcdoc="<body style='margin:0;height:900px'><div id=inner style='margin:300px 0 0 8px;width:20px;height:30px;background:#00f'></div><script>scrollTo(0, 250)</script>"
           style="position:absolute;left:301px;top:100px;border:5px solid;padding:3px 6px"></iframe>`,
        '<style>body { margin: 0 }</style>',
      ),
    );
    const { map, png } = await capture(url, scaled(factor));
    const pixels = await readPixels(png);
    expect(find(map, '#low').box).toEqual(pixels.boxOf([0, 255, 0]));
    expect(find(map, '#fixed').box).toEqual(pixels.boxOf([255, 0, 0]));
    expect(find(map, 'iframe #inner').box).toEqual(pixels.boxOf([0, 0, 255]));
  });

  it('are where the screenshot shows them on a page that goes on to the left', async () => {
    const end = '<div id="end" style="width:100px;height:50px;margin-right:1500px;background:#f00"></div>';
    const body = `<div style="width:2000px;height:9px"></div>${end}`;
    const url = site.page('/boxes-left', html(body, '<style>html { direction: rtl } body { margin: 0 }</style>'));
    const { map, png } = await capture(url);
    expect(find(map, '#end').box).toEqual((await readPixels(png)).boxOf([255, 0, 0]));
  });

  it('are cut to what can be seen of them', async () => {
    const map = await mapOf(
      `<div id="scroller" style="overflow:auto;width:200px;height:100px;position:relative">
         <div id="tall" style="height:500px"></div><div id="below">not seen</div>
         <div id="up" style="position:absolute;top:-20px;left:10px;width:50px;height:50px"></div>
       </div>
       <div style="overflow:hidden;height:10px"><div id="free" style="position:absolute;top:300px;left:0;width:9px;height:9px"></div></div>
       <div style="overflow-x:clip;height:10px;width:20px"><div id="out" style="width:90px;height:30px"></div></div>
       <div id="aside" style="position:absolute;left:-500px;width:100px;height:100px"></div>`,
    );
    expect(find(map, '#tall').box).toEqual([0, 0, 200, 100]);
    expect(find(map, '#below').box).toEqual([0, 0, 0, 0]);
    expect(find(map, '#up').box).toEqual([10, 0, 50, 30]);
    expect(find(map, '#free').box).toEqual([0, 300, 9, 9]);
    expect(find(map, '#out').box.slice(2)).toEqual([20, 30]);
    expect(find(map, '#aside')).toMatchObject({ box: [0, 0, 0, 0], styles: { display: '' } });
  });

  it('are only those in the viewport when the screenshot is', async () => {
    const map = await mapOf(
      '<p id="top">Top</p><div style="height:2000px"></div><section><p id="low">Low</p></section>',
      { fullPage: false },
    );
    expect(find(map, '#top').box[3]).toBeGreaterThan(0);
    expect(selectElements(map, '#low')).toEqual([]);
    expect(find(map, 'section').box).toEqual([0, 0, 0, 0]);
  });
});

describe('a map', () => {
  it('has what is in shadow roots, open or closed', async () => {
    const map = await mapOf(
      `<div id="open"><em slot="s">Given</em></div><div id="closed"></div>
       <script>
         document.querySelector('#open').attachShadow({ mode: 'open' }).innerHTML = '<b class="in">Shadow</b><slot name="s"></slot>';
         document.querySelector('#closed').attachShadow({ mode: 'closed' }).innerHTML = '<i class="in">Closed</i>';
       </script>`,
    );
    expect(find(map, '#open > b.in').text).toBe('Shadow');
    expect(find(map, '#open em').text).toBe('Given');
    expect(find(map, '#closed > i.in').text).toBe('Closed');
  });

  it('has words whose own element has no box, such as those in a slot, in the element that draws them', async () => {
    const map = await mapOf(
      `<div id="host">Given</div><p>One <span style="display: contents">two</span> <b>three</b> four</p>
       <script>
         document.querySelector('#host').attachShadow({ mode: 'open' }).innerHTML =
           '<b><slot></slot></b><i><slot name="s">Instead</slot></i><slot name="t">Outside</slot>';
       </script>`,
    );
    expect(find(map, '#host > b').text).toBe('Given');
    expect(find(map, '#host > i').text).toBe('Instead');
    expect(find(map, '#host').text).toBe('Outside');
    expect(find(map, 'p').text).toBe('One two four');
  });

  it('counts siblings as the page does, and leaves out what is inside those that draw nothing', async () => {
    const map = await mapOf(
      '<ul><li hidden>One <b id="inside">bold</b></li><li>Two</li><script></script><li id="three">Three</li></ul>',
    );
    expect(find(map, 'li:nth-child(4)').id).toBe('three');
    expect(find(map, 'li[hidden]').box).toEqual([0, 0, 0, 0]);
    expect(selectElements(map, '#inside')).toEqual([]);
  });

  it('leaves out the deepest elements when there are too many', async () => {
    const long = async (last: string) =>
      mapOf(
        `<main></main><footer id="end">End</footer>
         <style>p { display: inline-block }</style>
         <script>document.querySelector("main").innerHTML = "<p><a>x<b>y</b></a></p>".repeat(2199) + "<p><a>x<b>${last}</b></a></p>"</script>`,
      );
    const map = await long('y');
    expect(map.elements).toHaveLength(5000);
    expect(selectElements(map, 'p')).toHaveLength(2200);
    expect(selectElements(map, 'b').length).toBeLessThan(1000);
    expect(find(map, '#end').text).toBe('End');
    const last = 'p:last-of-type a';
    expect(find(await long('z'), last).picture).not.toBe(find(map, last).picture);
  });

  it('is not asked of the browser if the page is huge', async () => {
    const add = (many: string) =>
      `<p id="p" hidden></p><script>const p = document.querySelector('p'); ${many}</script>`;
    for (const huge of [
      add(`p.textContent = 'x'.repeat(60e6)`),
      add(`p.dataset.text = 'x'.repeat(60e6)`),
      add(`p.attachShadow({ mode: 'open' }).innerHTML = '<br>'.repeat(160e3)`),
      `<iframe hidden srcdoc="<body><script>document.body.innerHTML = '<br>'.repeat(160e3)</script>"></iframe>`,
    ]) {
      await expect(mapOf(huge)).rejects.toThrow('The page is too large to be read');
    }
  });

  it('is not taken of a screenshot with the bytes of the baseline', async () => {
    const url = site.page('/same', html('<p>Same</p>'));
    const first = await capture(url);
    const again = await browser.capture(requestOf(url, { baseline: { sha256: first.sha256, atRest: true } }), never);
    expect([again.sha256, again.elements]).toEqual([first.sha256, null]);
    const other = await capture(url, { baseline: { sha256: '0'.repeat(64), atRest: true } });
    expect(other.map).toEqual(first.map);
  });

  it('is taken of the layout that was drawn, wide code in a tall page included', async () => {
    const wide = `<pre><span id="code">${'wide code in a line '.repeat(20)}</span></pre>`;
    const low = await mapOf(wide, { fullPage: false });
    const tall = await mapOf(`${wide}<div style="height:3000px"></div>`);
    expect(find(tall, '#code').box[3]).toBe(find(low, '#code').box[3]);
    expect(find(tall, 'html').box[2]).toBe(800);
  });
});
