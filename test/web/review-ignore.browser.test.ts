import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { axeViolations, openVisitorsBrowser, visit } from '../support/visitor.ts';
import { changedClock, changedRun, judge, type ChangedRun } from './ignore-fixture.ts';

let api: TestApi;
let browser: Browser;
let owner: Account;
beforeAll(async () => {
  [api, browser] = await Promise.all([startTestApi(), openVisitorsBrowser()]);
  owner = await api.account('owner');
});
afterAll(async () => {
  await browser.close();
  await api.stop();
});

const NOWHERE = { x: 0, y: 0, width: 0 };
const gateOf = async ({ run }: ChangedRun) =>
  (await api.ctx.db('test_runs').where({ id: run.id }).first('review_state'))?.reviewState;

describe('ignoring from the review', () => {
  it('takes an element, judges the run again, and the gate opens', async () => {
    const changed = await changedClock(api, owner);
    const { page, complaints, leave } = await visit(browser, api.url, { token: owner.token });
    await page.goto(changed.address);
    await page.keyboard.press('i');
    await page.getByRole('heading', { name: 'Ignore an area' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const image = page.locator('[data-pane=main] .comparison-current');
    const { x, y, width } = (await image.boundingBox()) ?? { x: 0, y: 0, width: 0 };
    const scale = width / 300;
    await page.mouse.move(x + 50 * scale, y + 40 * scale);
    await page.getByText('Click to ignore element #clock').waitFor();
    await page.mouse.click(x + 50 * scale, y + 40 * scale);
    await page.getByText('#clock is ignored only on /a at desktop.').waitFor();
    await page.getByRole('button', { name: 'Change to all pages' }).click();
    await page.getByText('#clock is ignored on all pages at all viewports.').waitFor();
    await page.getByText('Re-evaluating').waitFor();
    expect(await gateOf(changed)).toBe('PENDING');
    await judge(api, changed);
    await page.getByRole('link', { name: /^Notes/ }).click();
    await page.getByText('all differences are in areas that this suite ignores').waitFor();
    expect(await gateOf(changed)).toBe('NOT_REQUIRED');
    expect(await page.getByLabel('Ignored areas').isChecked()).toBe(true);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('takes a box that is drawn on the screenshot', async () => {
    const { address, suite } = await changedRun(api, owner);
    const { page, complaints, leave } = await visit(browser, api.url, { token: owner.token });
    await page.goto(`${address}?panel=ignore`);
    const image = page.locator('[data-pane=main] .comparison-current');
    await page.getByRole('button', { name: 'Draw a box' }).click();
    const { x, y, width } = (await image.boundingBox()) ?? { x: 0, y: 0, width: 0 };
    const scale = width / 300;
    await page.mouse.move(x + 20 * scale, y + 100 * scale);
    await page.mouse.down();
    await page.mouse.move(x + 120 * scale, y + 150 * scale, { steps: 4 });
    await page.mouse.up();
    await page.getByText('This area is ignored only on').waitFor();
    const { config } = await api.ctx.db('test_suites').where({ id: suite.id }).first('config');
    const [box] = config.rules[0].ignoreBoxes;
    expect([box.width, box.height].map((size) => Math.round(size / 10))).toEqual([10, 5]);
    // Keys are heard once the page's scripts have run.
    await page.waitForLoadState('domcontentloaded');
    await page.keyboard.press('z');
    await page.getByText('It is no longer ignored').waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });

  it('takes nothing when the picture is only dragged', async () => {
    const { address, suite } = await changedClock(api, owner);
    const { page, complaints, leave } = await visit(browser, api.url, { token: owner.token });
    await page.goto(`${address}?panel=ignore`);
    const { x, y, width } = (await page.locator('[data-pane=main] .comparison-current').boundingBox()) ?? NOWHERE;
    const scale = width / 300;
    await page.mouse.move(x + 250 * scale, y + 150 * scale);
    await page.mouse.down();
    await page.mouse.move(x + 50 * scale, y + 40 * scale, { steps: 4 });
    await page.mouse.up();
    await page.getByRole('link', { name: /^Notes/ }).click();
    await page.getByRole('heading', { name: 'Notes' }).waitFor();
    const { config } = await api.ctx.db('test_suites').where({ id: suite.id }).first('config');
    expect(config.rules).toBeUndefined();
    expect(complaints).toEqual([]);
    await leave();
  });

  it('takes the box that was drawn, also when the pointer leaves the screenshot', async () => {
    const { address, suite } = await changedRun(api, owner);
    const { page, complaints, leave } = await visit(browser, api.url, { token: owner.token });
    await page.goto(`${address}?panel=ignore`);
    await page.getByRole('button', { name: 'Draw a box' }).click();
    const { x, y, width } = (await page.locator('[data-pane=main] .comparison-current').boundingBox()) ?? NOWHERE;
    const scale = width / 300;
    await page.mouse.move(x + 100 * scale, y + 100 * scale);
    await page.mouse.down();
    await page.mouse.move(x + 200 * scale, y + 150 * scale, { steps: 4 });
    await page.mouse.move(x + 200 * scale, 2, { steps: 4 });
    await page.mouse.up();
    await page.getByText('This area is ignored only on').waitFor();
    const { config } = await api.ctx.db('test_suites').where({ id: suite.id }).first('config');
    const [box] = config.rules[0].ignoreBoxes;
    expect([box.x, box.y, box.width, box.height].map((size) => Math.round(size / 10))).toEqual([10, 0, 10, 10]);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('keeps what somebody types while the result is judged again', async () => {
    const changed = await changedClock(api, owner);
    const { page, complaints, leave } = await visit(browser, api.url, { token: owner.token });
    await page.clock.install();
    await page.goto(`${changed.address}?panel=ignore`);
    await page.getByRole('button', { name: /element #clock/ }).click();
    await page.getByText('Re-evaluating').waitFor();
    await page.getByRole('link', { name: /^Comments/ }).click();
    await page.getByLabel('New comment').fill('a good');
    await judge(api, changed);
    await page.clock.runFor(10_000);
    await page.getByLabel('New comment').pressSequentially(' word');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.getByText('Comment added').waitFor();
    expect(await page.locator('.comment-body').textContent()).toBe('a good word');
    expect(await page.getByText('Re-evaluating').count()).toBe(0);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('needs no script', async () => {
    const changed = await changedClock(api, owner);
    const { page, leave } = await visit(browser, api.url, { token: owner.token, javaScriptEnabled: false });
    await page.goto(changed.address);
    await page.getByRole('link', { name: 'Ignore', exact: true }).click();
    await page.getByLabel('Duration').selectOption('30');
    await page.getByRole('button', { name: 'Ignore this change' }).click();
    await page.getByText('Re-evaluating').waitFor();
    await judge(api, changed);
    await page.getByRole('link', { name: /^Notes/ }).click();
    await page.getByText('this change is ignored since').waitFor();
    expect(await gateOf(changed)).toBe('NOT_REQUIRED');
    await leave();
  });
});
