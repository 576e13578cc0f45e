// The script of the static page: saves the chosen bank and filters the list by the search field.
const banks = [...document.querySelectorAll('.bank')];

document.querySelector('fieldset')?.addEventListener('change', ({target}) => {
  if (target instanceof HTMLInputElement && target.type === 'radio') localStorage.setItem('bank', target.value);
});

document.querySelector('[type=search]')?.addEventListener('input', ({target}) => {
  if (!(target instanceof HTMLInputElement)) return;
  const searchText = target.value.toLowerCase();
  for (const bank of banks)
    if (bank instanceof HTMLElement) bank.hidden = !bank.textContent.toLowerCase().includes(searchText);
});
