// Remembers the bank that is chosen, and searches the list: what a page without a kit would do by hand.
const banks = [...document.querySelectorAll('.bank')];

document.querySelector('fieldset')?.addEventListener('change', ({target}) => {
  if (target instanceof HTMLInputElement && target.type === 'radio') localStorage.setItem('bank', target.value);
});

document.querySelector('[type=search]')?.addEventListener('input', ({target}) => {
  if (!(target instanceof HTMLInputElement)) return;
  const wanted = target.value.toLowerCase();
  for (const bank of banks)
    if (bank instanceof HTMLElement) bank.hidden = !bank.textContent.toLowerCase().includes(wanted);
});
