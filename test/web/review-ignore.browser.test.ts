import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright';
import { startTestApi } from '../support/api-client.ts';
import type { Account, TestApi } from '../support/api-client.ts';
import { axeViolations, openVisitorsBrowser, visit } from '../support/visitor.ts';
import { changedClock, changedRun, judge } from './ignore-fixture.ts';
import type { ChangedRun } from './ignore-fixture.ts';

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
    expect(await page.getByLabel('What', { exact: true }).inputValue()).toBe('element #clock');
    await page.getByLabel('Where').selectOption('every');
    await page.getByRole('button', { name: 'Ignore this area' }).click();
    await page.getByText('Re-evaluating').waitFor();
    expect(await gateOf(changed)).toBe('PENDING');
    await judge(api, changed);
    await page.getByText('all differences are in areas that this suite ignores').waitFor();
    expect(await gateOf(changed)).toBe('NOT_REQUIRED');
    expect(await page.getByLabel('Ignored areas').isChecked()).toBe(true);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('takes a box that is drawn on the screenshot, or the change that is pointed at', async () => {
    const { address } = await changedRun(api, owner);
    const { page, complaints, leave } = await visit(browser, api.url, { token: owner.token });
    await page.goto(`${address}?ignore=open`);
    const choice = page.getByLabel('What', { exact: true });
    const draw = page.getByRole('button', { name: 'Draw a box' });
    const image = page.locator('[data-pane=main] .comparison-current');
    await image.scrollIntoViewIfNeeded();
    await draw.click();
    const { x, y, width } = (await image.boundingBox()) ?? { x: 0, y: 0, width: 0 };
    const scale = width / 300;
    await page.mouse.move(x + 20 * scale, y + 100 * scale);
    await page.mouse.down();
    await page.mouse.move(x + 120 * scale, y + 150 * scale, { steps: 4 });
    await page.mouse.up();
    expect(await choice.inputValue()).toMatch(/^box (19|20|21),(99|100|101),(99|100|101),(49|50|51)$/);
    await draw.click();
    const again = (await image.boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.click(again.x + 50 * scale, again.y + 40 * scale);
    expect(await choice.inputValue()).toBe('box 10,10,180,60');
    expect(complaints).toEqual([]);
    await leave();
  });

  it('needs no script', async () => {
    const changed = await changedClock(api, owner);
    const { page, leave } = await visit(browser, api.url, { token: owner.token, javaScriptEnabled: false });
    await page.goto(changed.address);
    await page.getByRole('link', { name: 'Ignore…' }).click();
    await page.getByLabel('Duration').selectOption('30');
    await page.getByRole('button', { name: 'Ignore this change' }).click();
    await page.getByText('Re-evaluating').waitFor();
    await judge(api, changed);
    await page.getByText('this change is ignored since').waitFor();
    expect(await gateOf(changed)).toBe('NOT_REQUIRED');
    await leave();
  });
});
