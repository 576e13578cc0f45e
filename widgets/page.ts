/** The script of the pages that the Worker serves: the buttons that share and print the page. */

const page = document.body;

/** The page's address without query and fragment, which belong to this visit. */
const address = location.origin + location.pathname;

const buttons = page.querySelector<HTMLElement>('.buttons');
const status = page.querySelector('.share [role=status]');

if (buttons) buttons.hidden = false;

buttons?.addEventListener('click', ({target}) => {
  const button = target as HTMLButtonElement;
  if ('print' in button.dataset) print();
  if ('share' in button.dataset) void share(button.dataset['copied'] ?? '');
});

/** Without a sheet of the device for sharing, copies the address, or else shows it. */
async function share(copied: string): Promise<void> {
  try {
    if ('share' in navigator) return await navigator.share({title: document.title, url: address});
    await navigator.clipboard.writeText(address);
    say(copied);
  } catch (error) {
    // The shopper closed the sheet.
    if ((error as Error).name !== 'AbortError') say(address);
  }
}

function say(text: string): void {
  if (!status) return;
  status.className = 'said';
  status.textContent = text;
}

/** An order that was placed: paper shows its code. */
page.addEventListener('vezne-order-code', () => page.classList.add('is-ordered'));
