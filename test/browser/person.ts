import type { BrowserPage } from './browser.ts';

/** Helpers in a page that loads from its server: they wait until an element exists, and act as a person does. */
const person = `
  const until = async (what, find) => {
    for (let tries = 0; tries < 1_200; tries += 1) {
      const found = find();
      if (found) return found;
      await new Promise((done) => setTimeout(done, 25));
    }
    throw new Error(what + ' is not in: ' + document.body.innerText.slice(0, 2000));
  };
  const main = () => document.querySelector('main');
  const says = (text) => until(text, () => main().innerText.includes(text));
  const one = (selector, text) => until(selector + ' ' + (text ?? ''), () =>
    [...document.querySelectorAll(selector)].find((each) => text === undefined || each.textContent.trim() === text));
  const texts = (selector) => [...document.querySelectorAll(selector)].map((each) => each.innerText.replaceAll(/\\s+/g, ' ').trim());
  const fill = async (selector, text) => {
    const field = await one(selector);
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  };
  const tryToken = async (token) => {
    await fill('input[name=token]', token);
    (await one('button[type=submit]')).click();
  };
  const signIn = async (token) => {
    await tryToken(token);
    await until('the name', () => !document.querySelector('input[name=token]') && document.querySelector('.who'));
  };`;

/** Runs steps in a page, with these helpers. */
export function doing(page: BrowserPage, steps: string): Promise<unknown> {
  return page.evaluate(`(async () => { ${person} ${steps} })()`);
}
