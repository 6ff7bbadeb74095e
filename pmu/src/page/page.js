'use strict';

// Everything is in the page already, and works without this: what follows
// searches, leads from a formula to what it names, and listens to the keyboard.

const byId = (id) => document.getElementById(id);
const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
const search = byId('search');
const found = byId('found');

// What can be found: events, and metrics as branches of the tree. The text of
// an entry is made when it is first needed, or when there is time.

const ALIASES = new Set(['raw code', 'generic name']);

class Entry {
  constructor(element) {
    this.element = element;
    this.section = element.closest('section');
    this.branch = element.closest('.tree > li');
    this.shown = this.branch ?? element;
    this.isShown = true;
  }

  get text() {
    const pieces = all('summary, p, dd:not(.users)', this.element);
    const text = pieces.map((piece) => piece.textContent).join('\n').toLowerCase();
    const section = this.section.querySelector('h3').firstChild.data.toLowerCase();
    Object.defineProperty(this, 'text', { value: `${text}\n${section}` });
    return this.text;
  }

  /** What it is called: its name, and codes and generic names that select it. */
  get names() {
    const name = this.element.querySelector('summary code').textContent;
    const labels = all('dt', this.element).filter((label) => ALIASES.has(label.textContent));
    const aliases = labels.flatMap((label) => label.nextElementSibling.textContent.split(', '));
    Object.defineProperty(this, 'names', { value: [name, ...aliases].map((n) => n.toLowerCase()) });
    return this.names;
  }

  show(isShown) {
    if (this.isShown !== isShown) {
      this.isShown = isShown;
      this.shown.hidden = !isShown;
    }
  }
}

const entries = all('.entry').map((element) => new Entry(element));
const events = entries.filter((entry) => !entry.branch);
// Whatever is beneath a metric comes before it.
const metrics = entries.filter((entry) => entry.branch).reverse();
const parts = all('.parts');
const links = new Map(all('nav a').map((link) => [link.hash.slice(1), link]));
const kinds = all('main > section').map((element) => ({
  element,
  link: links.get(element.id),
}));
const sections = new Map(all('main section section').map((element) => [element, {
  element,
  link: links.get(element.id),
  counts: all('.count', element).concat(all('.count', links.get(element.id))),
  events: [],
  total: 0,
  found: 0,
}]));
for (const entry of entries) {
  sections.get(entry.section).total += 1;
}
for (const event of events) {
  sections.get(event.section).events.push(event);
}

// Search.

const totals = found.textContent;
let query = '';
let openBefore = null;
let best = null;

const countOf = (number, all, what) => {
  const word = all === 1 ? what : `${what}s`;
  return `${number} of ${all} ${word}`;
};

function find(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = words.join(' ');
  if (wanted === query) {
    return;
  }
  query = wanted;
  const matches = (entry) => words.every((word) => entry.text.includes(word));

  const rank = (entry) => {
    const [name, ...aliases] = entry.names;
    return [name === query, aliases.includes(query), name.startsWith(query)].indexOf(true);
  };
  const ranked = query ? entries.filter(matches).map((entry) => [rank(entry), entry]) : [];
  const first = [0, 1, 2].map((wanted) => ranked.find(([own]) => own === wanted));
  best = first.find(Boolean)?.[1] ?? null;

  let eventCount = 0;
  for (const section of sections.values()) {
    const matching = new Set(section.events.filter(matches));
    section.found = matching.size;
    eventCount += matching.size;
    // Where nothing is found, the section hides them all.
    if (matching.size > 0) {
      section.events.forEach((event) => event.show(matching.has(event)));
    }
  }
  let metricCount = 0;
  const above = new Set();
  for (const metric of metrics) {
    const isMatch = matches(metric);
    const isAbove = above.has(metric.branch);
    metric.show(isMatch || isAbove);
    metric.branch.classList.toggle('above', isAbove && !isMatch);
    if (isMatch) {
      metricCount += 1;
      sections.get(metric.section).found += 1;
    }
    const whole = metric.branch.parentElement.closest('.tree > li');
    if (whole && metric.isShown) {
      above.add(whole);
    }
  }

  for (const { element, link, counts, total, found: number } of sections.values()) {
    element.hidden = number === 0;
    element.style.setProperty('--size', number);
    link.parentElement.hidden = number === 0;
    for (const place of counts) {
      place.textContent = query ? `${number}/${total}` : total;
    }
  }
  for (const { element, link } of kinds) {
    element.hidden = !element.querySelector('section:not([hidden])');
    link.parentElement.hidden = element.hidden;
  }
  document.body.classList.toggle('searching', query !== '');

  // The tree unfolds where something is found, and folds again afterwards.
  if (query) {
    openBefore ??= new Map(parts.map((part) => [part, part.open]));
    for (const part of parts) {
      const isNeeded = part.querySelector('.tree > li:not([hidden])') !== null;
      part.hidden = !isNeeded;
      part.open = isNeeded;
    }
  } else {
    for (const part of parts) {
      part.hidden = false;
      part.open = openBefore?.get(part) ?? part.open;
    }
    openBefore = null;
  }

  if (!query) {
    found.textContent = totals;
  } else if (eventCount + metricCount === 0) {
    found.textContent = 'nothing found';
  } else {
    const counted = [];
    if (events.length) {
      counted.push(countOf(eventCount, events.length, 'event'));
    }
    if (metrics.length) {
      counted.push(countOf(metricCount, metrics.length, 'metric'));
    }
    found.textContent = counted.join(', ');
  }
  if (best) {
    const link = document.createElement('a');
    link.href = `#${best.element.id}`;
    link.textContent = best.element.querySelector('summary code').textContent;
    found.append('; ', link);
  }
}

function setSearch(text) {
  search.value = text;
  find(text);
}

search.addEventListener('input', () => find(search.value));

// Places: `#event-NAME` and `#metric-NAME`, in any letter case.

let current = null;

function mark(entry) {
  current?.classList.remove('current');
  current = entry;
  current?.classList.add('current');
}

function place(hash) {
  const id = hash.slice(1);
  if (!id) {
    return null;
  }
  const sameName = ({ element }) => element.id.toLowerCase() === id.toLowerCase();
  return byId(id) ?? entries.find(sameName)?.element ?? null;
}

function goTo(hash) {
  const target = place(hash);
  mark(target?.matches('.entry') ? target : null);
  if (!target) {
    return;
  }
  if (target.closest('[hidden]')) {
    setSearch('');
  }
  for (let above = target.parentElement; above; above = above.parentElement) {
    if (above.localName === 'details') {
      above.open = true;
    }
  }
  if (target === current) {
    target.open = true;
    target.querySelector('summary').focus({ preventScroll: true });
  }
  target.scrollIntoView({ block: 'start' });
}

// What was searched for belongs to the place that was left by a link, and comes
// back with it.
const remember = (hash = location.hash) =>
  history.replaceState({ search: search.value }, '', hash || location.href);

addEventListener('popstate', ({ state }) => setSearch(state?.search ?? ''));
addEventListener('hashchange', () => goTo(location.hash));
document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href^="#"]');
  const summary = event.target.closest('.entry > summary');
  if (link) {
    remember();
    if (link.hash === location.hash) {
      goTo(link.hash);
    }
  } else if (summary) {
    const entry = summary.parentElement;
    // It opens after this. The address is now that of what one looks at.
    if (!entry.open) {
      mark(entry);
      remember(`#${entry.id}`);
    }
  }
});

// Keyboard.

const isSeen = ({ parentElement: details }) =>
  !details.closest('[hidden]') && !details.parentElement.closest('details:not([open])');

/** The next summary that can be seen, in a direction. */
function next(from, step) {
  const summaries = all('main summary');
  let at = from === null ? -1 : summaries.indexOf(from);
  do {
    at += step;
  } while (at in summaries && !isSeen(summaries[at]));
  return summaries[at] ?? (step < 0 ? search : null);
}

const go = (to) => {
  to?.focus();
  to?.scrollIntoView({ block: 'nearest' });
};

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) {
    return;
  }
  const isSearch = event.target === search;
  const summary = event.target.closest?.('summary');
  const details = summary?.parentElement;
  const doing = {
    '/': !isSearch && (() => search.select()),
    Escape: () => {
      if (isSearch && !search.value) {
        search.blur();
      } else {
        setSearch('');
      }
    },
    ArrowDown: (isSearch || summary) && (() => go(next(summary ?? null, 1))),
    ArrowUp: summary && (() => go(next(summary, -1))),
    ArrowRight: summary && (() => details.open ? go(next(summary, 1)) : summary.click()),
    ArrowLeft: summary && (() => {
      if (details.open) {
        summary.click();
      } else {
        go(details.parentElement.closest('.parts')?.querySelector('summary'));
      }
    }),
    Enter: isSearch && (() => go(best?.element.querySelector('summary') ?? next(null, 1))),
  }[event.key];
  if (doing) {
    event.preventDefault();
    doing();
  }
});

// One button unfolds the whole tree.

if (parts.length) {
  const button = document.createElement('button');
  const isFolded = () => parts.some((part) => !part.open);
  const label = () => {
    button.textContent = isFolded() ? 'unfold all' : 'fold all';
  };
  button.type = 'button';
  button.addEventListener('click', () => {
    const open = isFolded();
    for (const part of parts) {
      part.open = open;
    }
  });
  document.addEventListener('toggle', label, true);
  label();
  byId('metrics').querySelector('h2').append(' ', button);
}

search.parentElement.hidden = false;
setSearch(history.state?.search ?? '');
goTo(location.hash);
if (current) {
  // A browser that loads the page again would go to where it was, while the
  // heights of what it has not shown yet are guesses.
  history.scrollRestoration = 'manual';
}

/** Makes texts while nothing else happens. */
function prepare(from, deadline) {
  let at = from;
  while (at < entries.length && deadline.timeRemaining() > 1) {
    void entries[at].text;
    at += 1;
  }
  if (at < entries.length) {
    requestIdleCallback((next) => prepare(at, next));
  }
}
globalThis.requestIdleCallback?.((deadline) => prepare(0, deadline));
