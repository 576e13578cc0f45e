/** The bar above a shop page with the controls of the demo. A merchant does not need this. */

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

document.querySelector('[data-restart]')?.addEventListener('click', () => {
  try {
    localStorage.clear();
    sessionStorage.clear();
  } catch {
    // Storage is blocked, so there is nothing to delete: a reload starts again.
  }
  location.assign(location.pathname);
});
