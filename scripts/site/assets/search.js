// The search of the site, in the browser. The index is a script of the site, loaded with the first search.
import MiniSearch from 'minisearch';
import { searchOptions } from '../page.ts';

const top = document.currentScript?.getAttribute('data-top') ?? '';
const input = document.querySelector('.search input');
const list = document.querySelector('.search ol');
const most = 12;

let loaded;

function load() {
  loaded ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `${top}search-index.js`;
    script.onload = () => resolve(MiniSearch.loadJSON(globalThis.gantrySearchIndex, searchOptions));
    script.onerror = reject;
    document.head.append(script);
  });
  return loaded;
}

async function show(text) {
  if (list === null) return;
  const search = text.trim() === '' ? undefined : await load();
  if (input?.value !== text) return; // something else was typed meanwhile
  const found = search?.search(text).slice(0, most) ?? [];
  list.replaceChildren(...found.map((result) => item(result)));
  if (search !== undefined && found.length === 0) list.append(plainItem('Nothing found'));
  list.hidden = search === undefined;
}

function item(result) {
  const element = document.createElement('li');
  const link = document.createElement('a');
  link.href = `${top}${result.path}`;
  link.textContent = result.title;
  const part = document.createElement('small');
  part.textContent = result.part;
  link.append(part);
  element.append(link);
  return element;
}

function plainItem(text) {
  const element = document.createElement('li');
  element.textContent = text;
  return element;
}

input?.addEventListener('input', () => void show(input.value));
input?.addEventListener('focus', () => void load());
document.addEventListener('keydown', (event) => {
  const isTyping = document.activeElement instanceof HTMLInputElement;
  if (event.key === '/' && !isTyping) {
    event.preventDefault();
    input?.focus();
  } else if (event.key === 'Escape' && list !== null) {
    list.hidden = true;
    input?.blur();
  } else if (event.key === 'Enter' && isTyping) {
    list?.querySelector('a')?.click();
  }
});
