"""What stands around every page."""

import pytest
from playwright.sync_api import Page, expect

from gieok.web.kit import PATHS
from support.browsing import House, visit


@pytest.mark.parametrize("name", PATHS)
def test_every_page_says_which_one_it_is_and_leads_to_the_others(page: Page, house: House, scope, name):
    house.says("나 고양이 좋아해", scope=scope)

    visit(page, house, PATHS[name], scope)

    expect(page.locator("nav [aria-current=page]")).to_have_count(1)
    expect(page.locator("nav a")).to_have_count(len(PATHS))
    expect(page.locator("main")).to_have_count(1)
