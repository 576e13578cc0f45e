/** The script of the pages that the Worker serves: the buttons that share and print the page. */

/** The page's address without query and fragment, which belong to this visit. */
const address = location.origin + location.pathname;

const buttons = document.querySelector<HTMLElement>('.buttons');
const message = document.querySelector('.share [role=status]');

if (buttons) buttons.hidden = false;

buttons?.addEventListener('click', ({target}) => {
  const button = target as HTMLButtonElement;
  if ('print' in button.dataset) print();
  if ('share' in button.dataset) void share(button.dataset['copied'] ?? '');
});

/** Without a sheet of the device for sharing, copies the address, or else shows it. */
async function share(copied: string): Promise<void> {
  try {
    const {share: openSheet} = navigator as Partial<Navigator>;
    if (openSheet) return await openSheet.call(navigator, {title: document.title, url: address});
    await navigator.clipboard.writeText(address);
    say(copied);
  } catch (error) {
    // The shopper closed the sheet.
    if ((error as Error).name !== 'AbortError') say(address);
  }
}

function say(text: string): void {
  if (!message) return;
  message.className = '';
  message.textContent = text;
}

/** An order that was placed: paper shows its code. */
document.addEventListener('vezne-order-code', () => document.body.classList.add('is-ordered'));

export {};
