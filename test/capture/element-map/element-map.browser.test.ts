import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CaptureRequest } from '../../../src/capture/browser/browser.ts';
import type { ElementMap, MappedElement } from '../../../src/elements/element-map.ts';
import { decodeElementMap } from '../../../src/elements/encode-element-map.ts';
import { selectElements } from '../../../src/elements/select-elements.ts';
import { loadingOnce } from '../load-once.ts';
import { readPixels } from '../pixels.ts';
import { never, requestOf } from '../requests.ts';
import { html, openSite } from '../site.ts';
import type { Site } from '../site.ts';

let site: Site;
let browser: ReturnType<typeof loadingOnce>;

beforeAll(async () => {
  site = await openSite();
  browser = loadingOnce();
});

afterAll(async () => {
  await browser.close();
  await site.close();
});

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

  it.each([
    ['<h2 id="e">A <i>title</i></h2>', 'heading', 'A title'],
    ['<img id="e" alt="A dog" width="9" height="9">', 'img', 'A dog'],
    ['<label for="e">Mail</label><input id="e">', 'textbox', 'Mail'],
    ['<label>Agreed <input id="e" type="checkbox"></label>', 'checkbox', 'Agreed'],
    ['<input id="e" type="submit" value="Send it">', 'button', 'Send it'],
    ['<span id="l">By a label</span><div id="e" role="tab" aria-labelledby="l">x</div>', 'tab', 'By a label'],
    ['<button id="e" aria-label="Close">×</button>', 'button', 'Close'],
    ['<header id="e">x</header>', 'banner', ''],
    ['<article><header id="e">x</header></article>', '', ''],
    ['<div id="e">x</div>', '', ''],
  ])('has a role and a name: %s', async (body, role, name) => {
    expect(find(await mapOf(body), '#e')).toMatchObject({ role, name });
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

  it('are cut to what can be seen of them', async () => {
    const map = await mapOf(
      `<div id="scroller" style="overflow:auto;width:200px;height:100px;position:relative">
         <div id="tall" style="height:500px"></div><div id="below">not seen</div>
         <div id="up" style="position:absolute;top:-20px;left:10px;width:50px;height:50px"></div>
       </div>
       <div style="overflow:hidden;height:10px"><div id="free" style="position:absolute;top:300px;left:0;width:9px;height:9px"></div></div>
       <div id="aside" style="position:absolute;left:-500px;width:100px;height:100px"></div>`,
    );
    expect(find(map, '#tall').box).toEqual([0, 0, 200, 100]);
    expect(find(map, '#below').box).toEqual([0, 0, 0, 0]);
    expect(find(map, '#up').box).toEqual([10, 0, 50, 30]);
    expect(find(map, '#free').box).toEqual([0, 300, 9, 9]);
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

  it('counts siblings as the page does, and leaves out what is inside those that draw nothing', async () => {
    const map = await mapOf(
      '<ul><li hidden>One <b id="inside">bold</b></li><li>Two</li><script></script><li id="three">Three</li></ul>',
    );
    expect(find(map, 'li:nth-child(4)').id).toBe('three');
    expect(find(map, 'li[hidden]').box).toEqual([0, 0, 0, 0]);
    expect(selectElements(map, '#inside')).toEqual([]);
  });

  it('leaves out the deepest elements when there are too many', async () => {
    const map = await mapOf(
      `<main></main><footer id="end">End</footer>
       <style>p { display: inline-block }</style>
       <script>document.querySelector("main").innerHTML = "<p><a>x<b>y</b></a></p>".repeat(2200)</script>`,
    );
    expect(map.elements).toHaveLength(5000);
    expect(selectElements(map, 'p')).toHaveLength(2200);
    expect(selectElements(map, 'b').length).toBeLessThan(1000);
    expect(find(map, '#end').text).toBe('End');
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
