'use strict';

// Everything is in the page already, and can be read without this: what
// follows searches, magnifies and sorts, and listens to the keyboard.

const byId = (id) => document.getElementById(id);
const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
const search = byId('search');
const found = byId('found');
const totals = found.textContent;

/** Whether a text has all words. */
const matcher = (words) => (text) => words.every((word) => text.includes(word));

// A flame graph. Its frames come in the order of their places: each behind the
// one that called it.

class Frame {
  constructor(element) {
    const number = (name) => Number(element.style.getPropertyValue(name));
    this.element = element;
    this.x = number('--x');
    this.width = number('--w');
    this.level = number('--y');
    this.above = null;
    this.below = [];
    this.text = element.title.toLowerCase();
    this.name = element.querySelector('b').textContent;
  }

  get isSeen() {
    return !this.element.classList.contains('outside');
  }
}

class Flame {
  constructor(element) {
    this.element = element;
    this.frames = all('li', element).map((item) => new Frame(item));
    this.byElement = new Map(this.frames.map((frame) => [frame.element, frame]));
    const chain = [];
    for (const frame of this.frames) {
      chain.length = frame.level;
      frame.above = chain.at(-1) ?? null;
      frame.above?.below.push(frame);
      chain.push(frame);
    }
    [this.root] = this.frames;
    this.current = this.root;
    this.magnified = this.root;

    // To a screen reader it is a tree; one of its items can be reached by Tab.
    element.setAttribute('role', 'tree');
    for (const { element: item, level, below } of this.frames) {
      item.setAttribute('role', 'treeitem');
      item.setAttribute('aria-level', level + 1);
      item.setAttribute('aria-label', item.title);
      if (below.length) {
        item.setAttribute('aria-expanded', 'true');
      }
      item.tabIndex = -1;
    }
    this.root.element.tabIndex = 0;
    element.addEventListener('click', (event) => {
      const frame = this.byElement.get(event.target.closest('li'));
      if (frame) {
        this.magnify(frame);
      }
    });
    element.addEventListener('focusin', (event) => this.reach(event.target));
    element.addEventListener('keydown', (event) => this.press(event));
  }

  /** The item with the focus is the one that Tab reaches. */
  reach(item) {
    const frame = this.byElement.get(item);
    if (frame) {
      this.current.element.tabIndex = -1;
      this.current = frame;
      item.tabIndex = 0;
    }
  }

  go(frame) {
    frame?.element.focus();
    frame?.element.scrollIntoView({ block: 'nearest' });
  }

  magnify(frame) {
    this.magnified = frame;
    this.element.style.setProperty('--from', frame.x);
    this.element.style.setProperty('--zoom', 100 / (frame.width || 100));
    const above = new Set();
    for (let at = frame.above; at; at = at.above) {
      above.add(at);
    }
    const end = frame.x + frame.width;
    for (const other of this.frames) {
      const isAbove = above.has(other);
      const isWithin = other.x >= frame.x - 1e-6 && other.x + other.width <= end + 1e-3
        && other.level >= frame.level;
      other.element.classList.toggle('above', isAbove);
      other.element.classList.toggle('outside', !isAbove && !isWithin);
    }
    this.go(frame);
  }

  /** The next frame of the same level that is seen. */
  beside(step) {
    let at = this.frames.indexOf(this.current) + step;
    while (this.frames[at] && (this.frames[at].level !== this.current.level || !this.frames[at].isSeen)) {
      at += step;
    }
    return this.frames[at];
  }

  press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    const doing = {
      ArrowDown: () => this.go(this.current.below.find((frame) => frame.isSeen)),
      ArrowUp: () => this.go(this.current.above),
      ArrowRight: () => this.go(this.beside(1)),
      ArrowLeft: () => this.go(this.beside(-1)),
      Home: () => this.go(this.root),
      Enter: () => this.magnify(this.current),
      ' ': () => this.magnify(this.current),
      Escape: this.magnified !== this.root && (() => {
        const { current } = this;
        this.magnify(this.root);
        this.go(current);
      }),
    }[event.key];
    if (doing) {
      event.preventDefault();
      event.stopPropagation();
      doing();
    }
  }

  /** Marks what matches; its share of the whole, in percent. */
  find(matches) {
    this.element.classList.toggle('searched', matches !== null);
    const isIn = new Set();
    let share = 0;
    for (const frame of this.frames) {
      const isMatch = matches !== null && frame !== this.root && matches(frame.text);
      frame.element.classList.toggle('match', isMatch);
      if (isIn.has(frame.above)) {
        isIn.add(frame);
      } else if (isMatch) {
        isIn.add(frame);
        share += frame.width;
      }
    }
    return share;
  }
}

// A table of functions.

class Table {
  constructor(element) {
    this.body = element.tBodies[0];
    this.rows = Array.from(this.body.rows, (element, order) => {
      const texts = Array.from(element.cells, (cell) => cell.textContent);
      element.cells[0].title = `${texts[1]}, ${texts[4]} samples`;
      return { element, texts, order, text: `${texts[0]}\n${texts[1]}`.toLowerCase() };
    });
    this.heads = Array.from(element.tHead.rows[0].cells);
    this.heads.forEach((head, column) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = head.textContent;
      button.addEventListener('click', () => this.sort(column));
      head.replaceChildren(button);
    });
  }

  sort(column) {
    const head = this.heads[column];
    // Numbers come from the largest, texts from the first.
    const isText = column < 2;
    const first = isText ? 'ascending' : 'descending';
    const second = isText ? 'descending' : 'ascending';
    const direction = head.getAttribute('aria-sort') === first ? second : first;
    this.heads.forEach((other) => other.removeAttribute('aria-sort'));
    head.setAttribute('aria-sort', direction);
    const sign = direction === 'ascending' ? 1 : -1;
    const compare = isText
      ? (one, other) => one.texts[column].localeCompare(other.texts[column])
      : (one, other) => parseFloat(one.texts[column]) - parseFloat(other.texts[column]);
    this.rows.sort((one, other) => sign * compare(one, other) || one.order - other.order);
    this.body.append(...this.rows.map((row) => row.element));
  }

  find(matches) {
    let number = 0;
    for (const row of this.rows) {
      const isMatch = matches === null || matches(row.text);
      row.element.hidden = !isMatch;
      number += isMatch ? 1 : 0;
    }
    return number;
  }
}

// Search.

const events = all('section').map((section) => {
  const flame = new Flame(section.querySelector('.flame'));
  const table = section.querySelector('table');
  return { flame, table: table && new Table(table), matched: section.querySelector('.matched') };
});
const functions = events.reduce((sum, { table }) => sum + (table?.rows.length ?? 0), 0);

function find(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = words.length ? matcher(words) : null;
  let number = 0;
  for (const { flame, table, matched } of events) {
    const share = flame.find(matches);
    number += table?.find(matches) ?? 0;
    matched.textContent = matches ? `${share.toFixed(2)} % matches` : '';
  }
  found.textContent = matches ? `${number} of ${functions} functions` : totals;
}

function setSearch(text) {
  search.value = text;
  find(text);
}

search.addEventListener('input', () => find(search.value));

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) {
    return;
  }
  const isSearch = event.target === search;
  const doing = {
    '/': !isSearch && (() => search.select()),
    Escape: () => (isSearch && !search.value ? search.blur() : setSearch('')),
    ArrowDown: isSearch && (() => events[0]?.flame.go(events[0].flame.current)),
  }[event.key];
  if (doing) {
    event.preventDefault();
    doing();
  }
});

all('.keys').forEach((keys) => {
  keys.hidden = false;
});
search.parentElement.hidden = false;
