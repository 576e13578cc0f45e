/** What the demo's pages for shoppers and the builder share: the language, the bar with controls, and the restart. */

// The sandbox's pages, to which a shopper goes from this page, are in the language of this cookie. The contract of the
// platform has no parameter for a language.
document.cookie = `vezne-demo-lang=${document.documentElement.lang}; path=/; SameSite=Lax`;

// The page in the other language shows the same case, which the query names.
document.querySelector<HTMLAnchorElement>('.language')?.addEventListener('click', ({currentTarget}) => {
  (currentTarget as HTMLAnchorElement).search = location.search;
});

const menus = [...document.querySelectorAll<HTMLDetailsElement>('.demo-menu')];

/** Closes every open menu, except a menu that contains the node `except`. */
function closeMenus(except?: Node): void {
  for (const menu of menus) if (menu.open && !(except && menu.contains(except))) menu.open = false;
}

document.addEventListener('click', ({target}) => closeMenus(target as Node));
document.addEventListener('keydown', ({key, target}) => {
  if (key !== 'Escape') return;
  const opener = (target as Element).closest?.('.demo-menu')?.querySelector('summary');
  closeMenus();
  opener?.focus();
});

for (const button of document.querySelectorAll('[data-restart]')) button.addEventListener('click', restart);

function restart(): void {
  try {
    localStorage.clear();
    sessionStorage.clear();
  } catch {
    // Storage is blocked, so there is nothing to delete: a reload starts again.
  }
  location.assign(location.pathname + location.search);
}
