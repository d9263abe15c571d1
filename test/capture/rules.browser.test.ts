import { describe, expect, it } from '@jest/globals';
import type { CaptureRequest, PageAction } from '../../src/capture/browser/capture-request.ts';
import { openBrowser } from '../../src/capture/browser/open-browser.ts';
import { decodeElementMap } from '../../src/elements/encode-element-map.ts';
import { readPixels, type Color } from './pixels.ts';
import { LOCAL, never, requestOf } from './requests.ts';
import { siteAndBrowser } from './site-and-browser.ts';
import { html } from './site.ts';

type Rules = Partial<CaptureRequest['rules']>;

const { site, browser } = siteAndBrowser();

const withRules = (rules: Rules, changes: Partial<CaptureRequest> = {}) => ({
  ...changes,
  rules: { ...requestOf('').rules, ...rules },
});

let pages = 0;
async function capture(body: string, rules: Rules, changes: Partial<CaptureRequest> = {}) {
  pages += 1;
  const url = site.page(`/${pages}`, html(body, '<style>body { margin: 0 }</style>'));
  const taken = await browser.capture(requestOf(url, withRules(rules, changes)), never);
  return { ...taken, pixels: await readPixels(taken.png), codes: taken.warnings.map(({ code }) => code) };
}

const RED: Color = [255, 0, 0];
const GREEN: Color = [0, 255, 0];
const BLUE: Color = [0, 0, 255];
const WHITE: Color = [255, 255, 255];
const MASK: Color = [128, 128, 128];

const block = (id: string, color: string, style = '') =>
  `<div id="${id}" style="width:100px;height:50px;background:${color};${style}"></div>`;

/** The same block in the page, in a shadow root and in a frame, one below the other. */
const EVERYWHERE = `${block('red', '#f00')}<div id="host"></div>
  <iframe scrolling="no" style="display:block;border:0;height:50px" srcdoc='<body style="margin:0">${block('red', '#f00')}'></iframe>
  <script>document.querySelector('#host').attachShadow({ mode: 'open' }).innerHTML = \`${block('red', '#f00')}\`</script>
  ${block('end', '#00f')}`;

describe('elements that a rule names', () => {
  it('are not drawn and keep their room when they are hidden', async () => {
    const { pixels, unmatched } = await capture(EVERYWHERE, { hide: ['#red'] });
    expect(pixels.boxOf(RED)).toBeNull();
    expect(pixels.boxOf(BLUE)).toEqual([0, 150, 100, 50]);
    expect(unmatched).toEqual([]);
  });

  it('are hidden with all that is in them', async () => {
    const { pixels } = await capture(`<div class="a">${block('x', '#f00', 'visibility:visible')}</div>`, {
      hide: ['.b, .a'],
    });
    expect(pixels.boxOf(RED)).toBeNull();
  });

  it('give up their room when they are removed', async () => {
    const { pixels } = await capture(EVERYWHERE, { remove: ['div#red'] });
    expect(pixels.boxOf(RED)).toBeNull();
    // The frame keeps its own.
    expect(pixels.boxOf(BLUE)).toEqual([0, 50, 100, 50]);
  });

  const INSISTS = '<style>@layer u { .u { display: block !important; visibility: visible !important } }</style>';

  it.each([
    ['in an attribute', block('red', '#f00', 'display:block!important;visibility:visible!important')],
    ['in a layer', `${INSISTS}<div class="u" id="red" style="width:100px;height:50px;background:#f00"></div>`],
    ['below it', `<div id="red"><div style="background:#f00;visibility:visible!important">Text</div></div>`],
  ])('are hidden and removed although the page insists on showing them: %s', async (_where, body) => {
    const hidden = await capture(body + block('end', '#00f'), { hide: ['#red'] });
    expect(hidden.pixels.boxOf(RED)).toBeNull();
    expect(hidden.pixels.boxOf(BLUE)?.[1]).toBeGreaterThan(0);
    const removed = await capture(body + block('end', '#00f'), { remove: ['#red'] });
    expect(removed.pixels.boxOf(RED)).toBeNull();
    expect(removed.pixels.boxOf(BLUE)).toEqual([0, 0, 100, 50]);
  });

  it('are styled by the CSS of the rule', async () => {
    const { pixels } = await capture(EVERYWHERE, { css: '#red { background: #0f0 !important }' });
    expect(pixels.boxOf(GREEN)).toEqual([0, 0, 100, 150]);
  });

  it('are found although another selector means nothing to the browser', async () => {
    const { pixels, unmatched } = await capture(block('red', '#f00'), { hide: [':unknown(p)', '#red'] });
    expect(pixels.boxOf(RED)).toBeNull();
    expect(unmatched).toEqual([':unknown(p)']);
  });
});

describe('masks', () => {
  it('cover elements in the page, in shadow roots and in frames', async () => {
    const { pixels } = await capture(EVERYWHERE, { mask: ['#red'] });
    expect(pixels.boxOf(RED)).toBeNull();
    expect(pixels.boxOf(MASK)).toEqual([0, 0, 100, 150]);
    expect(pixels.boxOf(BLUE)).toEqual([0, 150, 100, 50]);
  });

  it.each([1, 2])('lie where the element is in a page taller than the viewport, at a scale of %d', async (factor) => {
    const viewport = { ...requestOf('').viewport, deviceScaleFactor: factor };
    const body = `<div style="height:2000px"></div>${block('red', '#f00', 'margin-left:300px')}<div style="height:2000px"></div>`;
    const { pixels } = await capture(body, { mask: ['#red'] }, { viewport });
    expect(pixels.boxOf(MASK)).toEqual([300, 2000, 100, 50].map((value) => value * factor));
    expect([pixels.width, pixels.height]).toEqual([800 * factor, 4050 * factor]);
  });

  it('cover what is fixed, and what is above everything else', async () => {
    const fixed = await capture(
      `<div style="height:1000px"></div>${block('red', '#f00', 'position:fixed;right:0;bottom:0;z-index:2147483647')}`,
      { mask: ['#red'] },
    );
    expect(fixed.pixels.boxOf(MASK)).toEqual([700, 550, 100, 50]);
    const modal = await capture(
      `<dialog style="border:0;padding:0;margin:0;outline:0">${block('red', '#f00')}</dialog>
       <script>document.querySelector('dialog').showModal()</script>`,
      { mask: ['#red'] },
    );
    expect(modal.pixels.boxOf(RED)).toBeNull();
    expect(modal.pixels.boxOf(MASK)).toEqual([0, 0, 100, 50]);
  });

  it('cover no more than what can be seen of an element, and do not widen the page', async () => {
    const { pixels } = await capture(
      `<div style="overflow:hidden;width:300px;height:60px">${block('red', '#f00', 'width:5000px;height:500px')}</div>
       ${block('wide', '#f00', 'position:absolute;left:750px;top:200px')}`,
      { mask: ['#red', '#wide'] },
    );
    expect([pixels.width, pixels.height]).toEqual([850, 600]);
    expect(pixels.at(299, 59)).toEqual(MASK);
    expect([pixels.at(300, 10), pixels.at(10, 60)]).toEqual([WHITE, WHITE]);
    expect(pixels.at(849, 249)).toEqual(MASK);
  });

  it('cover the children of an element without a box', async () => {
    const { pixels } = await capture(`<div id="a" style="display:contents">${block('red', '#f00')}</div>`, {
      mask: ['#a'],
    });
    expect(pixels.boxOf(MASK)).toEqual([0, 0, 100, 50]);
  });

  it.each([
    ['of an enlarged page', `<style>html { zoom: 2 }</style>${block('red', '#f00', 'margin:20px')}`],
    [
      'in the top layer, whatever clips its place in the page',
      `<div style="position:relative;transform:scale(1);overflow:hidden;height:9px">
         ${block('red', '#f00', 'position:absolute;inset:60px auto auto 60px;border:0;padding:0;margin:0')}</div>
       <script>red.popover = 'manual'; red.showPopover()</script>`,
    ],
    [
      'of a page that goes on to the left',
      `<style>html { direction: rtl }</style><div style="width:2000px;height:9px"></div>${block('red', '#f00', 'margin-right:1500px')}`,
    ],
    ['that is clipped in one direction only', `<div style="overflow-x:clip;height:9px">${block('red', '#f00')}</div>`],
    ['in one without a box', `<div style="overflow:hidden;display:contents">${block('red', '#f00')}</div>`],
  ])('cover an element %s', async (_which, body) => {
    const bare = await capture(body, {});
    const { pixels } = await capture(body, { mask: ['#red'] });
    expect(pixels.boxOf(MASK)).toEqual(bare.pixels.boxOf(RED));
    expect([pixels.width, pixels.height]).toEqual([bare.pixels.width, bare.pixels.height]);
  });

  it('make pages equal that differ below them, at the first look', async () => {
    let views = 0;
    const url = site.page('/chance', (_, response) => {
      views += 1;
      response.setHeader('content-type', 'text/html');
      response.end(html(`<p id="n">View ${views}</p><p>The rest</p>`, '<style>#n { width: 90px }</style>'));
    });
    const request = requestOf(url, withRules({ mask: ['#n'] }));
    const believing = openBrowser(LOCAL);
    const first = await believing.capture(request, never);
    const baseline = { sha256: first.sha256, atRest: true };
    const before = views;
    const second = await believing.capture({ ...request, baseline }, never);
    await believing.close();
    expect([second.sha256, views - before]).toEqual([first.sha256, 1]);
  });

  it('stand under the policies of the site, and in no element map', async () => {
    const url = site.page('/strict', (_, response) => {
      response.setHeader('content-security-policy', "default-src 'none'");
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>Strict</title><h1>Strict</h1>');
    });
    const { png, elements } = await browser.capture(requestOf(url, withRules({ mask: ['h1'] })), never);
    expect((await readPixels(png)).boxOf(MASK)).not.toBeNull();
    const map = await decodeElementMap(elements ?? Buffer.from(''));
    expect(map.elements.map(({ tag }) => tag)).toEqual(['html', 'head', 'body', 'h1']);
  });
});

describe('waiting for elements', () => {
  it('waits until they are shown', async () => {
    const { pixels, codes } = await capture(
      `<div id="box" hidden>${block('red', '#f00')}</div><script>setTimeout(() => { box.hidden = false }, 700)</script>`,
      { waitFor: ['#red'] },
    );
    expect(pixels.boxOf(RED)).toEqual([0, 0, 100, 50]);
    expect(codes).toEqual([]);
  });

  it('says which did not come, and captures the page without them', async () => {
    const taken = await capture('<p>Here</p>', { waitFor: ['p', '.never'] }, { timeout: 500 });
    expect(taken.warnings).toContainEqual({
      code: 'element_missing',
      message: '.never did not appear in time, so the page was captured without it',
    });
    expect(taken.unmatched).toEqual(['.never']);
  });
});

describe('actions', () => {
  const act = async (body: string, ...actions: PageAction[]) => capture(body, { actions });

  it('click, type, press keys, scroll and wait, in order', async () => {
    const { pixels, codes } = await act(
      `<button id="start">Open</button><div id="form" hidden><input id="field"></div>
       <div style="height:3000px"></div>${block('low', '#fff')}
       <script>
         const done = [];
         const note = (what) => {
           done.push(what);
           if (done.join() === 'open,text abc,low,late') low.style.background = '#0f0';
         };
         start.onclick = () => { form.hidden = false; note('open'); };
         field.onkeydown = ({ key }) => { if (key === 'Enter') note('text ' + field.value); };
         new IntersectionObserver(([entry], watch) => {
           if (!entry.isIntersecting) return;
           watch.disconnect();
           note('low');
           setTimeout(() => note('late'), 300);
         }).observe(low);
       </script>`,
      { type: 'click', selector: '#start' },
      { type: 'type', selector: '#field', text: 'abc' },
      { type: 'press', selector: '#field', key: 'Enter' },
      { type: 'scrollTo', selector: '#low' },
      { type: 'wait', ms: 500 },
    );
    expect(codes).toEqual([]);
    expect(pixels.boxOf(GREEN)?.slice(2)).toEqual([100, 50]);
  });

  it('reach into shadow roots and frames', async () => {
    const button = (color: string) =>
      `<button style="width:50px;height:50px;border:0" class="go" onclick="this.style.background = '${color}'">`;
    const { pixels } = await act(
      `<div id="host"></div><iframe id="frame"></iframe>
       <script>
         host.attachShadow({ mode: 'open' }).innerHTML = \`<p>${button('#0f0')}</p>\`;
         frame.srcdoc = \`<main>${button('#00f')}</main>\`;
       </script>`,
      { type: 'click', selector: 'p > .go' },
      { type: 'click', selector: 'main > .go' },
    );
    expect(pixels.boxOf(GREEN)?.slice(2)).toEqual([50, 50]);
    expect(pixels.boxOf(BLUE)?.slice(2)).toEqual([50, 50]);
  });

  it('leave nothing hovered but what was hovered last', async () => {
    const body = `<style>#a:hover { background: #0f0 !important }</style>${block('a', '#f00')}<div style="height:2000px"></div>`;
    expect((await act(body, { type: 'click', selector: '#a' })).pixels.boxOf(RED)).toEqual([0, 0, 100, 50]);
    expect((await act(body, { type: 'hover', selector: '#a' })).pixels.boxOf(GREEN)).toEqual([0, 0, 100, 50]);
  });

  it('may move on to another page', async () => {
    site.page('/next', html('<p>Next</p>').replace('A page', 'The next page'));
    const { title } = await act('<a href="/next">On</a>', { type: 'click', selector: 'a' });
    expect(title).toBe('The next page');
  });

  it('are told when they cannot be done, and the later ones are done', async () => {
    const { pixels, warnings, unmatched } = await act(
      `${block('a', '#f00')}<script>a.onclick = () => { a.style.background = '#0f0' }</script>`,
      { type: 'click', selector: '.cookies' },
      { type: 'press', key: 'NoSuchKey' },
      { type: 'click', selector: '#a' },
    );
    expect(warnings).toEqual([
      { code: 'element_missing', message: 'Could not click .cookies: no such element' },
      { code: 'action_failed', message: expect.stringContaining('Could not press: ') },
    ]);
    expect(unmatched).toEqual(['.cookies']);
    expect(pixels.boxOf(GREEN)).not.toBeNull();
  });

  it('end when the time of the page is over', async () => {
    const { codes } = await capture(
      '<p>x</p>',
      {
        actions: [
          { type: 'wait', ms: 60_000 },
          { type: 'click', selector: 'p' },
        ],
      },
      { timeout: 400 },
    );
    // A busy machine may not even load the page in that time.
    expect(codes.filter((code) => code !== 'never_loaded')).toEqual(['action_failed']);
  });
});

describe('selectors that match nothing', () => {
  it('are told, wherever they could have matched', async () => {
    const { unmatched } = await capture(EVERYWHERE, {
      hide: ['#red', '.a'],
      remove: ['.b'],
      mask: ['.c', 'iframe'],
      ignore: ['.d', '.a', '#host'],
    });
    expect(unmatched).toEqual(['.a', '.b', '.c', '.d']);
  });
});
